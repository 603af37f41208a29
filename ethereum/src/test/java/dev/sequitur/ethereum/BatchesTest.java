package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ethereum.ChainRpc.Call;
import dev.sequitur.ethereum.ChainRpc.Limits;
import dev.sequitur.ethereum.EthereumLedger.Head;
import dev.sequitur.ethereum.RequestTurns.Line;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.port.KnownGroups;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CHN-7: how much a chain's node is asked at once. */
final class BatchesTest {
  private ScriptedNode node;

  @BeforeEach
  void start() throws IOException {
    node = new ScriptedNode().grow(32, 1);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private ChainRpc rpc(Limits limits) {
    return new ChainRpc(
        List.of(node.address()), ChainRpc.KEY, ChainAccess.NONE, limits, ForkJoinPool.commonPool());
  }

  private static <T> T await(CompletionStage<T> answer) {
    return answer.toCompletableFuture().join();
  }

  private static List<Call> calls(int howMany) {
    return IntStream.rangeClosed(1, howMany)
        .mapToObj(height -> Call.of("eth_getBlockByNumber", ChainJson.hex(height), false))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({"100, 200", "10, 200", "3, 200", "1, 200", "10, 413", "1, 413", "1, 400", "1, 502"})
  void whatIsTooMuchForANodeIsHalvedDownToSingleCalls(int most, int status) {
    node.takesCalls(most, status);
    var ledger =
        new EthereumLedger(
            rpc(Limits.DEFAULT),
            new EthereumLedger.Settings(
                Anvil.CHAIN, new LedgerAddress("0x" + "1".repeat(40)), Head.LATEST),
            new Secp256k1Signatures(),
            KnownGroups.NONE);

    assertThat(await(ledger.blocks(new BlockHeight(1), 32)))
        .extracting(Block::height)
        .extracting(BlockHeight::value)
        .hasSize(32)
        .startsWith(1L)
        .endsWith(32L);
  }

  @Test
  void whatWasTooMuchOnceIsNotTriedAgainEachTime() {
    node.takesCalls(1, 200);
    var rpc = rpc(Limits.DEFAULT);
    await(rpc.results(calls(10)));
    int before = node.requests();

    await(rpc.results(calls(10)));

    assertThat(node.requests() - before).isEqualTo(10);
  }

  @Test
  void moreIsTriedAgainAfterAWhile() {
    node.takesCalls(1, 200);
    var rpc = rpc(Limits.DEFAULT);
    await(rpc.results(calls(32)));
    node.takesCalls(100, 200);
    for (int i = 0; i < 20; i++) {
      await(rpc.results(calls(32)));
    }
    int before = node.requests();

    await(rpc.results(calls(32)));

    assertThat(node.requests() - before).isLessThanOrEqualTo(4);
  }

  @Test
  void aBatchHasNoMoreCallsThanTheConfigurationSays() {
    node.takesCalls(5, 413);

    assertThat(await(rpc(new Limits(5, 4, Duration.ofSeconds(30))).results(calls(32)))).hasSize(32);
    assertThat(node.requests()).isEqualTo(7);
  }

  /** As geth does where an answer becomes too long, or takes too long. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 31})
  void whatIsRefusedOneByOneInARequestIsAskedAgainWithLessBesideIt(int most) {
    node.answersOfOneRequest(most, -32003, "response too large");

    assertThat(await(rpc(Limits.DEFAULT).results(calls(32))))
        .extracting(block -> ChainJson.number(block, "number"))
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 32).boxed().toList());
    assertThat(node.requests()).isLessThanOrEqualTo(70);
  }

  @Test
  void whatIsRefusedAlsoAloneIsToldAndNotAskedForEver() {
    node.refusesAll(-32000, "missing trie node");

    assertThatThrownBy(() -> await(rpc(Limits.DEFAULT).results(calls(32))))
        .hasMessageContaining("missing trie node");
    assertThat(node.requests()).isEqualTo(2);
  }

  @Test
  void whoHasCalledTooOftenDoesNotCallAgain() {
    node.answersOfOneRequest(7, -32005, "daily request count exceeded");

    assertThatThrownBy(() -> await(rpc(Limits.DEFAULT).results(calls(32))))
        .hasMessageContaining("daily request count exceeded");
    assertThat(node.requests()).isOne();
  }

  @Test
  void whoMayNotCallIsNotAskedForLess() {
    node.takesCalls(0, 429);

    assertThatThrownBy(() -> await(rpc(Limits.DEFAULT).results(calls(32))))
        .hasCauseInstanceOf(LedgerUnreachableException.class)
        .hasMessageContaining("429");
    assertThat(node.requests()).isOne();
  }

  @Test
  void aSlowAnswerIsWaitedForAsLongAsTheConfigurationSays() {
    node.keepsItsHeadBack();

    assertThatThrownBy(
            () ->
                await(
                    rpc(new Limits(5, 4, Duration.ofMillis(50)))
                        .ask("eth_getBlockByNumber", "latest", false)))
        .hasCauseInstanceOf(LedgerUnreachableException.class)
        .hasMessageContaining("does not answer");
  }

  @Test
  void noMoreAreUnderWayAtOnceThanMay() {
    var turns = new RequestTurns(2);
    var begun = new ArrayList<CompletableFuture<String>>();
    var answers = new ArrayList<CompletionStage<String>>();
    for (int i = 0; i < 4; i++) {
      answers.add(
          turns.take(
              Line.NODE,
              () -> {
                begun.add(new CompletableFuture<>());
                return begun.getLast();
              }));
    }
    assertThat(begun).hasSize(2);

    begun.get(1).complete("second");
    assertThat(begun).hasSize(3);
    begun.get(0).completeExceptionally(new LedgerUnreachableException("It is down."));
    assertThat(begun).hasSize(4);
    begun.get(2).complete("third");
    begun.get(3).complete("fourth");

    assertThat(await(answers.get(1))).isEqualTo("second");
    assertThat(await(answers.get(3))).isEqualTo("fourth");
    assertThat(answers.get(0).toCompletableFuture()).isCompletedExceptionally();
  }

  /** CHN-8: callers may be as many as they like, and so may blocks that are read. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 32})
  void neitherTheNodesOwnNorItsCallersRequestsWaitForAllOfTheOthers(int most) {
    for (var many : Line.values()) {
      var few = many == Line.NODE ? Line.CALLERS : Line.NODE;
      var turns = new RequestTurns(most);
      var begun = new ArrayDeque<CompletableFuture<String>>();
      for (int i = 0; i < 1_000; i++) {
        turns.take(many, () -> queued(begun));
      }
      var asked = new CompletableFuture<Boolean>();
      var last = turns.take(few, () -> completed(asked));

      if (!asked.isDone()) {
        begun.removeFirst().complete("one");
      }

      assertThat(last.toCompletableFuture()).as("it has the next turn").isCompletedWithValue("few");
    }
  }

  @Test
  void ofSomeTurnsOneIsNeverForCallers() {
    var turns = new RequestTurns(4);
    var begun = new ArrayDeque<CompletableFuture<String>>();
    for (int i = 0; i < 10; i++) {
      turns.take(Line.CALLERS, () -> queued(begun));
    }
    assertThat(begun).hasSize(3);

    assertThat(
            turns.take(Line.NODE, () -> completed(new CompletableFuture<>())).toCompletableFuture())
        .as("though none of theirs is answered")
        .isCompletedWithValue("few");
    begun.removeFirst().complete("one");
    assertThat(begun).hasSize(3);
  }

  private static CompletionStage<String> queued(Deque<CompletableFuture<String>> begun) {
    begun.addLast(new CompletableFuture<>());
    return begun.getLast();
  }

  private static CompletionStage<String> completed(CompletableFuture<Boolean> asked) {
    asked.complete(true);
    return CompletableFuture.completedFuture("few");
  }

  @Test
  void whatCannotEvenBeginGivesItsTurnBack() {
    var turns = new RequestTurns(1);
    var failed =
        turns.take(
            Line.NODE,
            () -> {
              throw new IllegalStateException("no");
            });

    assertThat(failed.toCompletableFuture()).isCompletedExceptionally();
    assertThat(await(turns.take(Line.NODE, () -> CompletableFuture.completedFuture("next"))))
        .isEqualTo("next");
  }
}
