package dev.sequitur.sequencer.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.persistence.leveldb.LevelDb;
import dev.sequitur.persistence.leveldb.LevelDbSettings;
import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.persistence.store.LevelDbNodeStore;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.guard.NamePattern;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.GroupStore.KnownGroup;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.selection.SelectionPolicy;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What many groups on disk take. It says the times, and asserts what is kept in memory. */
@Tag("slow")
class ManyGroupsTest {
  private static final Logger LOG = LoggerFactory.getLogger(ManyGroupsTest.class);
  private static final NodeName SELF = new NodeName("node1");

  @TempDir private Path directory;
  private final Arbitrary any = new Arbitrary(3);

  /** No key is derived. */
  private static final class NoKeys implements Keys {
    @Override
    public Verifier verifier(String name) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Bytes sign(String name, Hash digest) {
      throw new UnsupportedOperationException();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {10_000, 100_000})
  void oneIsFoundAmongThemAndOnesOwnAreReadAloneAndAllInPagesAndAPageOfTheNewestIsShort(
      int number) {
    var settings = new LevelDbSettings(false, 10_000, 1 << 22, 1 << 22, 0);
    try (var executor = Executors.newFixedThreadPool(2);
        var db = LevelDb.open(directory, settings)) {
      var store = new LevelDbNodeStore(db, new ProtocolFormat(), executor);
      put(store, number);
      var registry =
          new GroupRegistry(
              SELF, new SelectionPolicy(10, 16), new NoKeys(), new Secp256k1Signatures());

      long begun = System.nanoTime();
      get(registry.seek(List.of(contract(number / 2)), store));
      long sought = System.nanoTime();
      assertThat(registry.size()).isEqualTo(1);
      get(registry.seekOf(new NamePattern("customer-%07d@node1".formatted(7)), store));
      long own = System.nanoTime();
      assertThat(registry.size()).isEqualTo(2);
      get(registry.seekOf(new NamePattern("*"), store));
      long known = System.nanoTime();
      var newest = get(store.groups(Optional.empty(), 1));
      long read = System.nanoTime();

      LOG.info(
          "{} groups: one is found in {} us, one of somebody in {} us, all are read in {} ms, a page"
              + " of one in {} us",
          number,
          (sought - begun) / 1_000,
          (own - sought) / 1_000,
          (known - own) / 1_000_000,
          (read - known) / 1_000);
      assertThat(registry.size()).isEqualTo(number);
      assertThat(newest).hasSize(1);
      assertThat(get(store.unfinishedGroups())).isEmpty();
    }
  }

  private void put(NodeStore store, int number) {
    var one = any.next(PrivacyGroup.class);
    CompletionStage<Void> last = CompletableFuture.completedFuture(null);
    for (int each = 0; each < number; each++) {
      var contract = contract(each);
      var group =
          new PrivacyGroup(
              new GroupId(new Hash(each, 0, 0, 0)),
              one.chainId(),
              contract,
              one.domain(),
              one.name(),
              one.committee(),
              one.endorsementThreshold(),
              one.configuration());
      last =
          store.putKnown(
              StoredGroup.of(group.id(), Instant.ofEpochSecond(each)).withGroup(Optional.of(group)),
              new KnownGroup(
                  contract,
                  new LedgerAddress("0x%040x".formatted(each * 1_000_033L)),
                  List.of(SELF, new NodeName("node2")),
                  List.of("customer-%07d".formatted(each))),
              new BlockHeight(1));
      if (each % 1_000 == 0) {
        get(last);
      }
    }
    get(last);
  }

  private static ContractAddress contract(int number) {
    return new ContractAddress("0x%040x".formatted(number * 1_000_003L));
  }

  private static <T> T get(CompletionStage<T> answer) {
    return answer.toCompletableFuture().join();
  }
}
