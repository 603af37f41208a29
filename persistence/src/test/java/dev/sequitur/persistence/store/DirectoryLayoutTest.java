package dev.sequitur.persistence.store;

import static dev.sequitur.persistence.store.NodeStoreFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.serialization.DiskFormat;
import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.ChangeSignatures;
import dev.sequitur.protocol.port.ChangeStore.AgreedChange;
import dev.sequitur.protocol.port.ChangeStore.Phase;
import dev.sequitur.protocol.port.GroupStore.KnownGroup;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import dev.sequitur.protocol.port.MessageStore.Following;
import dev.sequitur.protocol.port.NodeStore.Deployment;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedMessage;
import dev.sequitur.protocol.port.NodeStore.Prepared;
import dev.sequitur.protocol.port.NodeStore.StoredAbi;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.room.Room.Kept;
import dev.sequitur.protocol.transaction.NewGroup;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.Transaction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What lies where in a directory, whole keys and whole values, by the number of {@link DiskFormat}:
 * whoever lays out anything otherwise has to raise it. The values are those of the golden files of
 * their types, so that a field that is added at a type's end changes nothing here. With {@code
 * -Dbuild.golden.write=DIRECTORY} the file of a new number is written; one that is there is never
 * changed.
 */
class DirectoryLayoutTest {
  private static final ProtocolFormat FORMAT = new ProtocolFormat();
  private static final Instant NOW = Instant.parse("2026-11-29T10:00:00Z");
  private static final ContractAddress ELSEWHERE = new ContractAddress("0x" + "ee".repeat(20));

  /** Among the regions of the node store. */
  static final Set<Integer> NOT_IN_USE = Set.of(13);

  @TempDir private Path directory;

  @Test
  void eachRegionIsLaidOutAsTheFormatSays() throws IOException {
    try (var own = new OwnLevelDb(directory.resolve("data"))) {
      fill(new LevelDbNodeStore(own.db(), FORMAT, own.executor()));
      fill(QueueStores.in(own.db(), own.executor()));
      var lines = new StringBuilder();
      var regions = new TreeSet<Integer>();
      own.db()
          .scan(
              new KeyRange(Key.in(KeySpace.CELL), Key.in(KeySpace.BASE_LEDGER)),
              Order.ASCENDING,
              (key, value) -> {
                var bytes = key.asByteBuffer();
                if (bytes.get() == 0x10) {
                  regions.add((int) bytes.get());
                }
                lines.append(hex(key)).append(" = ").append(hex(value)).append('\n');
                return true;
              });

      assertThat(lines.toString().strip())
          .as("another layout needs another DiskFormat")
          .isEqualTo(golden(lines.toString().strip()));
      assertThat(regions)
          .as("each region of Layout has an entry here")
          .containsExactlyElementsOf(
              IntStream.rangeClosed(1, Layout.LAST_REGION)
                  .filter(region -> !NOT_IN_USE.contains(region))
                  .boxed()
                  .toList());
    }
  }

  private static void fill(LevelDbNodeStore store) throws IOException {
    // All of them have one id in their files, and so has the receipt.
    var privately = value("PrivateTransaction", PrivateTransaction.class).withId(id(3));
    var any = value("PublicTransaction", PublicTransaction.class);
    var publicly =
        new PublicTransaction(
            id(4), any.from(), any.to(), any.data(), any.value(), any.gas(), any.source());
    var group = value("NewGroup", NewGroup.class);
    var makes = new NewGroup(id(5), group.from(), group.inputs(), group.request());
    get(store.accept(List.of(intent(privately), intent(publicly), intent(makes))));
    get(store.complete(List.of(Receipt.reverted(id(7), ELSEWHERE, "token", "no funds", NOW))));
    get(store.forget(Kept.CONTENTS, get(store.ended(Kept.CONTENTS, Optional.empty(), 1)), 1));
    var receipt = value("Receipt", Receipt.class);
    get(store.complete(List.of(receipt)));
    var others = new LinkedHashMap<IntentKey, Receipt>();
    var id = id(2);
    for (long each = 1; each <= 2; each++) {
      others.put(
          new IntentKey(id, new SenderCommitment(new Hash(each, 0, 0, 0))),
          new Receipt(id, ELSEWHERE, "token", true, receipt.onLedger(), Optional.empty(), NOW));
    }
    get(store.confirm(others, Set.of()));
    get(store.putPrepared(value("NodeStore.Prepared", Prepared.class)));
    get(store.putStates(value("NodeStore.Prepared", Prepared.class).outputs()));
    var listener = value("ListenerStore.Listener", Listener.class);
    for (var kind : ListenerKind.values()) {
      get(store.listeners().create(kind, listener));
    }
    get(store.putAbi(value("NodeStore.StoredAbi", StoredAbi.class)));
    get(store.putIndexedTo(value("NodeStore.IndexedTo", IndexedTo.class)));
    GroupMessage message = value("NodeStore.NumberedMessage", NumberedMessage.class).message();
    get(store.putMessages(NOW, List.of(new Following(message.number() - 1, message))));
    var stored = value("NodeStore.StoredGroup", StoredGroup.class);
    get(store.putGroup(stored));
    get(
        store.putGroup(
            StoredGroup.of(new GroupId(new Hash(7, 0, 0, 0)), NOW)
                .withGenesisTransaction(Optional.of(id(6)))
                .withDeployment(stored.deployment())));
    PrivacyGroup made = value("PrivacyGroup", PrivacyGroup.class);
    get(
        store.putKnown(
            StoredGroup.of(made.id(), NOW).withGroup(Optional.of(made)),
            value("GroupStore.KnownGroup", KnownGroup.class),
            new BlockHeight(7)));
    var giver = new NodeName("node2");
    var given =
        StoredGroup.of(new GroupId(new Hash(9, 0, 0, 0)), NOW)
            .withGiver(Optional.of(giver))
            .withDeployment(stored.deployment().map(it -> new Deployment("record", it.genesis())));
    get(store.putGiven(given));
    var withdrawn = StoredGroup.of(new GroupId(new Hash(8, 0, 0, 0)), NOW);
    get(store.putGiven(withdrawn.withGiver(Optional.of(giver))));
    get(
        store.putGroup(
            withdrawn.withGiver(Optional.of(giver)).withNotMade(Optional.of("refused"))));
    var signed = value("ChangeSignatures", ChangeSignatures.class);
    get(store.agree(AgreedChange.of(ELSEWHERE, signed.change(), NOW, "root", Phase.GATHERING)));
  }

  private static void fill(QueueStores queues) {
    var cell = new CellStore.Cell(new byte[] {1, 2}, new byte[] {3});
    get(queues.cells().write("queue-1", new CellStore.Change(0, 7, List.of(cell), List.of())));
    get(queues.bodies().add("queue-1", 5, List.of(new Hash(1, 2, 3, 4))));
    get(
        queues
            .commands()
            .add(
                "queue-1",
                6,
                NOW,
                List.of(new CommandStore.Done(6, new Hash(4, 3, 2, 1), new byte[] {9}))));
    get(queues.outcomes().add("queue-1", List.of(ended(15), ended(16), ended(17)), 0));
    get(queues.outcomes().add("queue-1", List.of(ended(33)), 16));
  }

  private static OutcomeStore.Ended ended(int number) {
    return new OutcomeStore.Ended(
        number,
        NOW.plusSeconds(number),
        List.of("s" + number, "alice"),
        new byte[] {(byte) number});
  }

  private static TransactionId id(int number) {
    return TransactionId.parse("00000000-0000-0001-0000-00000000000" + number);
  }

  private static Intent intent(Transaction transaction) {
    var key =
        new IdempotencyKey(
            IdempotencyKey.Owner.of(Identity.parse("alice@node1")), "k" + transaction.id());
    return new Intent(0, NOW, Optional.of(key), new Hash(1, 2, 3, 4), transaction);
  }

  private static <T> T value(String name, Class<T> type) throws IOException {
    return FORMAT.decode(Bytes.hex(file(name + "-1.0.hex")).toByteArray(), type);
  }

  private static String golden(String now) throws IOException {
    var name = "directory-" + DiskFormat.OURS.current() + ".txt";
    var write = System.getProperty("build.golden.write");
    if (write != null && DirectoryLayoutTest.class.getResource("/golden/" + name) == null) {
      Files.writeString(Path.of(write, name), now + "\n");
    }
    return file(name);
  }

  private static String file(String name) throws IOException {
    try (var file = DirectoryLayoutTest.class.getResourceAsStream("/golden/" + name)) {
      assertThat(file).as("golden/" + name).isNotNull();
      return new String(file.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
  }

  private static String hex(Key key) {
    var rest = key.asByteBuffer();
    var bytes = new byte[rest.remaining()];
    rest.get(bytes);
    return hex(bytes);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
