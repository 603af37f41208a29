package dev.sequitur.protocol.indexing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class NoticePartsTest {
  private static final BlockHeight HEIGHT = new BlockHeight(7);
  private static final long MOST = 5_000;

  /** What one confirmation takes at most here. */
  private static final long ONE = 1_000;

  @Test
  void aBlockThatHasNothingIsOnePart() {
    assertThat(NoticeParts.of(Map.of(), MOST)).containsExactly(Map.of());
  }

  @Property(tries = 200)
  void joinedThePartsAreWhatTheBlockHasAndNoneIsLong(
      @ForAll @Size(max = 12) List<@IntRange(max = 40) Integer> transitions) {
    var notices = new LinkedHashMap<ContractAddress, BlockNotice>();
    for (int each = 0; each < transitions.size(); each++) {
      notices.put(contract(each), notice(each, transitions.get(each)));
    }

    var parts = NoticeParts.of(notices, MOST);

    var joined = new LinkedHashMap<ContractAddress, BlockNotice>();
    parts.forEach(part -> NoticeParts.join(joined, part));
    assertThat(joined).isEqualTo(notices);
    long bytes = notices.values().stream().mapToLong(BlockNotice::bytes).sum();
    assertThat(parts)
        .allSatisfy(
            part ->
                assertThat(part.values().stream().mapToLong(BlockNotice::bytes).sum())
                    .isLessThanOrEqualTo(MOST));
    assertThat(parts).hasSizeLessThanOrEqualTo((int) (1 + 3 * bytes / (MOST - ONE)));
  }

  @Property(tries = 200)
  void aJvmIsToldOfWhatItWantsAndMissesNothingOfIt(
      @ForAll @IntRange(min = 1, max = 200) int shards,
      @ForAll @IntRange(max = 1_000) int number,
      @ForAll @IntRange(max = 199) int one) {
    var wanted = WantedShards.some(shards, Set.of(one % shards));

    int shard = WantedShards.shard(contract(number), shards);

    assertThat(shard).isBetween(0, shards - 1);
    assertThat(wanted.filter().test(contract(number))).isEqualTo(shard == one % shards);
    assertThat(wanted.covers(WantedShards.none(shards))).isTrue();
    assertThat(WantedShards.none(shards).covers(wanted)).isFalse();
    assertThat(wanted.covers(wanted)).isTrue();
  }

  private static ContractAddress contract(int number) {
    return new ContractAddress("0x%040x".formatted(number));
  }

  private static BlockNotice notice(int contract, int transitions) {
    var confirmed = new LinkedHashMap<IntentKey, Receipt.OnLedger>();
    var spent = new ArrayList<StateId>();
    var created = new ArrayList<StateId>();
    IntStream.range(0, transitions)
        .forEach(
            number -> {
              var input = state("in", contract, number);
              var output = state("out", contract, number);
              spent.add(input);
              created.add(output);
              confirmed.put(
                  Contract.transaction(Contract.A, contract * 100L + number).key(),
                  new Receipt.OnLedger(
                      new TransactionHash(Contract.hash("transaction" + number)),
                      HEIGHT,
                      number,
                      List.of(input),
                      List.of(),
                      List.of(output)));
            });
    return new BlockNotice(HEIGHT, Instant.EPOCH, true, confirmed, spent, created);
  }

  private static StateId state(String kind, int contract, int number) {
    return new StateId(Contract.hash(kind + contract + "/" + number));
  }
}
