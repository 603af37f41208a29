package dev.sequitur.persistence.store;

import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.protocol.port.NodeStore;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class RoomOverLevelDbTest extends RoomStoreContractTest {
  @TempDir private Path directory;
  private OwnLevelDb own;
  private NodeStore store;

  @BeforeEach
  void open() {
    own = new OwnLevelDb(directory.resolve("data"));
    store = new LevelDbNodeStore(own.db(), new ProtocolFormat(), own.executor());
  }

  @AfterEach
  void close() {
    own.close();
  }

  @Override
  protected NodeStore store() {
    return store;
  }
}
