package dev.sequitur.persistence.store;

import dev.sequitur.protocol.port.NodeStore;

class InMemoryNodeStoreTest extends NodeStoreContractTest {
  private final NodeStore store = new InMemoryNodeStore();

  @Override
  protected NodeStore store() {
    return store;
  }
}
