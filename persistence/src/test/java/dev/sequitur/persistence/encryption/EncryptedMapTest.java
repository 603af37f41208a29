package dev.sequitur.persistence.encryption;

import dev.sequitur.persistence.map.MemoryMap;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.OrderedMapContractTest;
import java.util.List;

/** What is encrypted is a map as any other; a later process reads what an earlier one wrote. */
class EncryptedMapTest extends OrderedMapContractTest {
  private final OrderedMap stored = new MemoryMap();
  private final OrderedMap map = opened();

  private OrderedMap opened() {
    return Encryption.open(stored, new MemoryMap(), List.of(EncryptionTest.KEY), true).over(stored);
  }

  @Override
  protected OrderedMap map() {
    return map;
  }

  @Override
  protected OrderedMap reopened() {
    return opened();
  }
}
