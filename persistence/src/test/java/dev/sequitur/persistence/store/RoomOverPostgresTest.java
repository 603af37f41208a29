package dev.sequitur.persistence.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeWriters.ClusterView;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class RoomOverPostgresTest extends RoomStoreContractTest {
  private static final JvmName JVM = new JvmName("akka://node1@jvm1:25520", 1);

  /** Made first: without a PostgreSQL the test is left out. */
  private final OwnSchema schema = new OwnSchema();

  private PostgresNodeStore store;

  @BeforeEach
  void open() {
    store =
        new PostgresNodeStore(
            schema.database(),
            new ProtocolFormat(),
            schema.executor(),
            new NodeIdentity(new NodeName("node1"), Bytes.utf8("its keys"), JVM));
    var all = Set.of(JVM.toString());
    assertThat(get(store.writers().enter(new ClusterView(true, all, all)))).isTrue();
  }

  @AfterEach
  void close() {
    store.close();
    schema.close();
  }

  @Override
  protected NodeStore store() {
    return store;
  }
}
