package dev.sequitur.persistence.map;

class MemoryMapTest extends OrderedMapContractTest {
  private final OrderedMap map = new MemoryMap();

  @Override
  protected OrderedMap map() {
    return map;
  }

  /** There is no next process. */
  @Override
  protected OrderedMap reopened() {
    return map;
  }
}
