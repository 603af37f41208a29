package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ethereum.EthereumLedger.Head;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.KnownGroups;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CHN-1 to CHN-3, over HTTP. */
final class SeveralNodesTest {
  private static final int MAX_LAG = 5;

  @TempDir Path directory;

  /** Begins anywhere, and goes on when a test says so. */
  private final AtomicLong nanos = new AtomicLong(-7);

  private ScriptedNode first;
  private ScriptedNode second;
  private ScriptedNode third;

  @BeforeEach
  void start() throws IOException {
    first = new ScriptedNode();
    second = new ScriptedNode();
    third = new ScriptedNode();
  }

  @AfterEach
  void stop() {
    List.of(first, second, third).forEach(ScriptedNode::close);
  }

  private EthereumLedger ledger(int quorum) {
    return ledger(quorum, ChainRpc.Limits.DEFAULT);
  }

  private EthereumLedger ledger(int quorum, ChainRpc.Limits limits) {
    return new EthereumLedger(
        new ChainRpc(
            List.of(first.address(), second.address(), third.address()),
            ChainRpc.KEY,
            ChainAccess.NONE,
            limits,
            ForkJoinPool.commonPool(),
            nanos::get),
        new EthereumLedger.Settings(
            Anvil.CHAIN,
            new LedgerAddress("0x" + "1".repeat(40)),
            Head.LATEST,
            quorum,
            MAX_LAG,
            0,
            Duration.ofSeconds(2),
            false),
        new Secp256k1Signatures(),
        KnownGroups.NONE,
        nanos::get);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private static <T> T await(CompletionStage<T> answer) {
    return answer.toCompletableFuture().join();
  }

  private static List<Long> heights(EthereumLedger ledger, long from) {
    return await(ledger.blocks(new BlockHeight(from), 32)).stream()
        .map(Block::height)
        .map(BlockHeight::value)
        .toList();
  }

  /** Of several an operator must know which. */
  @Test
  void whoRefusesIsRemarkedByName() {
    List.of(first, second, third).forEach(node -> node.grow(3, 1));
    first.refusesAll(-32005, "daily request count exceeded");
    var ledger = ledger(1);

    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              await(ledger.head());
              assertThat(ledger.remarks())
                  .singleElement()
                  .asString()
                  .contains(
                      "The chain's node at " + first.address() + " refuses eth_",
                      "daily request count exceeded");
            });
  }

  @Test
  void whileTheFirstIsSilentAnotherOneIsAsked() {
    first.close();
    second.grow(3, 1);
    third.grow(3, 1);
    var ledger = ledger(1);

    assertThat(heights(ledger, 1)).containsExactly(1L, 2L, 3L);
    assertThat(ledger.remarks()).singleElement().asString().contains(first.address().toString());
  }

  /** CHN-1: a node that takes questions and answers none need not time out first. */
  @Test
  void whoeverHangsIsPassedOverOnceOthersHaveAnswered() {
    var nodes = List.of(first, second, third);
    nodes.forEach(node -> node.grow(3, 1));
    var timeout = Duration.ofMinutes(1);
    var ledger = ledger(1, new ChainRpc.Limits(100, 32, timeout, Duration.ofMillis(50)));
    await(ledger.head());
    first.keepsItsHeadBack();
    nodes.forEach(node -> node.grow(1, 1));

    // The first look may still wait for the others' answers from before they grew.
    Awaitility.await()
        .atMost(timeout.dividedBy(2))
        .until(() -> await(ledger.head()).equals(new BlockHeight(4)));
    assertThat(ledger.remarks())
        .singleElement()
        .asString()
        .contains(first.address().toString(), "has not told its head for 50 ms");
    first.tellsItsHead();
    Awaitility.await()
        .until(
            () -> {
              await(ledger.head());
              return ledger.remarks().isEmpty();
            });
  }

  /** SUB-9: each may tell another block. */
  @Test
  void whatBlocksChargeIsWhatTheNodeThatIsAskedSays() {
    first.grow(3, 1);
    second.grow(3, 1);
    third.grow(3, 1);
    first.charges("0x4a817c800");
    second.charges("0xffffffffffff");
    var ledger = ledger(1);
    assertThat(ledger.baseFee()).as("nobody has looked").isZero();

    await(ledger.head());
    assertThat(ledger.baseFee()).isEqualTo(20_000_000_000L);
    first.grow(4, 1);
    first.charges("0x4a817c801");
    await(ledger.head());
    assertThat(ledger.baseFee()).isEqualTo(20_000_000_001L);
  }

  /** SUB-9: an offer of next to nothing would wait for long. */
  @Test
  void untilTheNextNodeHasToldOfABlockWhatTheOneBeforeSaidIsCharged() {
    first.grow(3, 1);
    second.grow(3, 1);
    first.charges("0x4a817c800");
    var ledger = ledger(1);
    await(ledger.head());
    first.close();

    await(ledger.nonce(new LedgerAddress("0x" + "2".repeat(40))));

    assertThat(ledger.baseFee()).isEqualTo(20_000_000_000L);
  }

  /** Such as an address of another chain. */
  @Test
  void aFactoryThatIsNotThereIsRemarkedUntilItIs() {
    first.grow(3, 1);
    second.grow(3, 1);
    third.grow(3, 1);
    first.hasCode("0x");
    var ledger = ledger(1);

    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              await(ledger.head());
              return ledger.remarks().stream()
                  .anyMatch(remark -> remark.contains("ledger.ethereum.factory"));
            });
    first.hasCode("0x60");
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              await(ledger.head());
              return ledger.remarks().isEmpty();
            });
  }

  /** Such as the contract of a group: it takes the call, and makes nothing. */
  @Test
  void aContractThatIsNoFactoryIsToldAndMakesNoGroup() throws IOException {
    List.of(first, second, third).forEach(node -> node.grow(3, 1));
    var ledger = ledger(1);
    var keys = FileKeys.open(directory);
    var signer = keys.signer("key");
    var genesis =
        new ContractGenesis(
            new GroupId(new Hash(5, 5, 5, 5)),
            "made",
            new Committee(List.of(new Member(Identity.parse("a@b"), signer.verifier()))),
            1,
            Bytes.EMPTY);
    var deploy =
        ledger.sign(
            new LedgerTransaction(
                new Secp256k1Signatures().address(signer.verifier()),
                0,
                Fees.flat(10),
                30_000,
                new LedgerTransaction.Deploy("record", genesis)),
            signer);
    for (var answer : List.of("", "0x", "0x" + "f".repeat(64), "0x" + "0".repeat(128))) {
      first.returns(answer);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                await(ledger.head());
                return ledger.remarks().stream()
                    .anyMatch(remark -> remark.contains("is no factory of groups"));
              });
    }
    assertThat(ledger.submit(List.of(deploy)).toCompletableFuture())
        .failsWithin(Duration.ofSeconds(60))
        .withThrowableThat()
        .withMessageContaining("is no factory of groups");

    first.returns("0x%064x".formatted(1));
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              await(ledger.head());
              return ledger.remarks().isEmpty();
            });
  }

  /** It has an implementation as well, and takes no call as it is sent now. */
  @Test
  void aFactoryOfAnotherVersionIsTold() {
    List.of(first, second, third).forEach(node -> node.grow(3, 1));
    var ledger = ledger(1);
    first.hasFactoryOfAnotherVersion();

    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              await(ledger.head());
              return ledger.remarks().stream()
                  .anyMatch(
                      remark ->
                          remark.contains("is none of this version")
                              && remark.contains("sequitur deploy-factory"));
            });
  }

  /** Some nodes write it so. */
  @Test
  void nothingBehind0xIsZero() {
    List.of(first, second, third).forEach(node -> node.grow(3, 1));
    first.counts("0x");
    var account = new LedgerAddress("0x" + "2".repeat(40));

    assertThat(await(ledger(1).nonce(account))).isZero();
    assertThat(await(ledger(1).contracts().orElseThrow().balance(account))).isZero();
  }

  /** Without the sentence an operator would only see that nothing goes on. */
  @Test
  void aBlockThatTheNodeHasLostIsRemarkedUntilItHasItAgain() {
    List.of(first, second, third).forEach(node -> node.grow(5, 1));
    List.of(first, second, third).forEach(node -> node.lose(3));
    var ledger = ledger(1);

    assertThat(heights(ledger, 1)).containsExactly(1L, 2L);
    assertThat(ledger.remarks()).isEmpty();
    assertThat(heights(ledger, 3)).isEmpty();
    assertThat(ledger.remarks())
        .singleElement()
        .asString()
        .contains(first.address().toString(), "does not have block 3,");

    first.findAgain(3);
    assertThat(heights(ledger, 3)).containsExactly(3L, 4L, 5L);
    assertThat(ledger.remarks()).isEmpty();
  }

  /** Whoever compares old blocks neither tells that nothing is read, nor takes it back (DST-9). */
  @Test
  void whetherAnOldBlockIsThereSaysNothingOfWhetherTheNewOnesAreRead() {
    List.of(first, second, third).forEach(node -> node.grow(5, 1));
    List.of(first, second, third).forEach(node -> node.lose(2));
    var ledger = ledger(1);

    assertThat(heights(ledger, 5)).containsExactly(5L);
    assertThat(heights(ledger, 2)).isEmpty();
    assertThat(ledger.remarks()).isEmpty();

    List.of(first, second, third).forEach(node -> node.grow(6, 1));
    List.of(first, second, third).forEach(node -> node.lose(6));
    await(ledger.head());
    assertThat(heights(ledger, 6)).isEmpty();
    assertThat(heights(ledger, 4)).contains(4L, 5L);
    assertThat(ledger.remarks()).singleElement().asString().contains("does not have block 6,");
  }

  @Test
  void aBlockThatTheNodeHasLostIsReadFromAnother() {
    List.of(first, second, third).forEach(node -> node.grow(5, 1));
    first.lose(3);
    var ledger = ledger(1);

    assertThat(heights(ledger, 1)).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(ledger.remarks()).isEmpty();
  }

  /** CHN-5. */
  @Test
  void whatANodeRefusesForReasonsOfItsOwnIsAskedOfAnother() {
    List.of(first, second, third).forEach(node -> node.grow(5, 1));
    var ledger = ledger(1);
    assertThat(heights(ledger, 1)).hasSize(5);
    first.refusesAll(-32005, "daily request count exceeded, request rate limited");

    assertThat(heights(ledger, 4)).containsExactly(4L, 5L);
    assertThat(await(ledger.nonce(new LedgerAddress("0x" + "2".repeat(40))))).isEqualTo(7);
  }

  /** CHN-5: all goes on, at the cost of two requests for each. */
  @Test
  void whatOneKeepsRefusingAndAnotherAnswersIsTold() {
    List.of(first, second, third).forEach(node -> node.grow(5, 1));
    var ledger = ledger(1);
    assertThat(heights(ledger, 1)).hasSize(5);
    first.refusesAll(-32000, "missing trie node");
    var account = new LedgerAddress("0x" + "2".repeat(40));

    await(ledger.nonce(account));
    assertThat(ledger.remarks()).as("once is nothing").isEmpty();
    pass(PassedOn.LASTING);
    await(ledger.nonce(account));
    assertThat(ledger.remarks())
        .containsExactly(
            "The chain's node at %s refuses eth_getTransactionCount: missing trie node (-32000). Another one is asked each time: look what this one may do, or take it out of ledger.ethereum.rpc."
                .formatted(first.address()));

    pass(PassedOn.FORGOTTEN.plusNanos(1));
    assertThat(ledger.remarks()).isEmpty();
    await(ledger.nonce(account));
    assertThat(ledger.remarks()).as("begins anew").isEmpty();
  }

  /** CHN-5: such as an endpoint that may only be read. */
  @Test
  void whatOneDoesNotTakeIsSentToTheNext() throws IOException {
    List.of(first, second, third).forEach(node -> node.grow(5, 1));
    first.refuses("the method eth_sendRawTransaction does not exist/is not available", false);
    second.takesAll();
    var ledger = ledger(1);
    var signer = FileKeys.open(directory).signer("key");
    var sent =
        ledger.sign(
            new LedgerTransaction(
                new Secp256k1Signatures().address(signer.verifier()),
                0,
                Fees.flat(10),
                30_000,
                new LedgerTransaction.UseNonce()),
            signer);

    assertThat(await(ledger.submit(List.of(sent))))
        .containsExactly(new SubmitOutcome.Pooled(sent.hash()));
  }

  /** CHN-5: each call of a request by itself. */
  @Test
  void singleCallsThatOneRefusesWithinARequestAreAskedOfTheNext() {
    List.of(first, second, third).forEach(node -> node.grow(5, 1));
    var ledger = ledger(1);
    await(ledger.head());
    first.answersOfOneRequest(2, -32005, "daily request count exceeded");

    assertThat(heights(ledger, 1)).containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  @Test
  void whatNobodyAnswersIsRefusedWithTheFirstOnesWords() {
    List.of(first, second, third).forEach(node -> node.grow(5, 1));
    var ledger = ledger(1);
    assertThat(heights(ledger, 1)).hasSize(5);
    first.refusesAll(-32000, "missing trie node");
    second.refusesAll(-32601, "the method does not exist");
    third.close();

    assertThatThrownBy(() -> await(ledger.nonce(new LedgerAddress("0x" + "2".repeat(40)))))
        .hasCauseInstanceOf(LedgerUnreachableException.class)
        .hasMessageContaining("missing trie node");
  }

  @Test
  void eachIsAskedOnceAlsoWhereTheFirstDoesNotAnswer() {
    first.close();
    second.refusesAll(-32000, "missing trie node");
    third.refusesAll(-32000, "missing trie node");

    assertThatThrownBy(() -> await(ledger(1).nonce(new LedgerAddress("0x" + "2".repeat(40)))))
        .hasMessageContaining("missing trie node");
    assertThat(second.requests()).isOne();
    assertThat(third.requests()).isOne();
  }

  /** CHN-3: it was told of, and never read. */
  @Test
  void aHeadThatOneNodeHasToldOnceIsForgotten() {
    List.of(first, second, third).forEach(node -> node.grow(20, 1));
    var ledger = ledger(1);
    assertThat(heights(ledger, 1)).hasSize(20);
    first.claims(1_000_000);
    await(ledger.head());
    first.claims(0);

    assertThat(await(ledger.head())).isEqualTo(new BlockHeight(20));
    first.grow(1, 1);
    second.grow(1, 1);
    third.grow(1, 1);
    assertThat(heights(ledger, 21)).containsExactly(21L);
  }

  /**
   * CHN-11: health would count blocks that are not there, and transactions would be final early.
   */
  @Test
  void whileOneTellsAFalseHeadTheOthersAreReadAndItIsNamed() {
    var nodes = List.of(first, second, third);
    nodes.forEach(node -> node.grow(20, 1));
    var ledger = ledger(1);
    assertThat(heights(ledger, 1)).hasSize(20);
    first.claims(1_000_000);

    assertThat(await(ledger.head())).isEqualTo(at(20));
    nodes.forEach(node -> node.grow(1, 1));
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> await(ledger.head()).equals(at(21)));
    assertThat(heights(ledger, 21)).containsExactly(21L);
    assertThat(ledger.remarks())
        .singleElement()
        .asString()
        .contains(first.address().toString(), "newest block is 1000000", "nor block 999995");

    second.close();
    third.close();
    assertThatThrownBy(() -> await(ledger.head()))
        .as("nothing tells how many blocks stand upon one")
        .hasCauseInstanceOf(LedgerUnreachableException.class)
        .hasMessageContaining("newest block is 1000000");
    first.claims(0);
    assertThat(await(ledger.head())).isEqualTo(at(21));
    assertThat(ledger.remarks()).noneMatch(remark -> remark.contains("newest block is"));
  }

  @Test
  void whatDoesNotHaveTheBlocksThatWereReadIsNotFollowed() {
    List.of(first, second, third).forEach(node -> node.grow(20, 1));
    var ledger = ledger(1);
    assertThat(heights(ledger, 1)).hasSize(20);
    first.fallBackTo(0);
    first.grow(500, 7);

    assertThat(await(ledger.head())).isEqualTo(new BlockHeight(20));
    assertThat(ledger.remarks())
        .anySatisfy(
            remark ->
                assertThat(remark)
                    .contains(first.address().toString(), "does not have block 20 as it was read"));
  }

  /** CHN-3: nobody goes on upon what was read. */
  @Test
  void oneThatStandsStillUponABlockThatTheOthersHaveReplacedIsLeft() {
    first.grow(19, 1).grow(1, 2);
    second.grow(20, 1);
    third.grow(20, 1);
    var ledger = ledger(1);
    assertThat(heights(ledger, 1)).hasSize(20);

    goOn(ledger, 2, 2);
    assertThat(await(ledger.head())).as("they may be the ones that are wrong").isEqualTo(at(20));
    goOn(ledger, 2, MAX_LAG);
    assertThat(await(ledger.head())).as("not so soon").isEqualTo(at(20));
    pass(NodeHeads.LEAST_ALONE);

    assertThat(await(ledger.head())).isEqualTo(at(20 + 2 * (2 + MAX_LAG)));
    assertThat(await(ledger.blocks(at(20), 1)).getFirst().hash().toString())
        .isEqualTo("0x%064x".formatted(1_000_020));
    assertThat(ledger.remarks()).singleElement().asString().contains(first.address().toString());
  }

  @Test
  void whileOneThatJoinsGoesOnWhatDoesNotJoinIsNotFollowed() {
    List.of(first, second, third).forEach(node -> node.grow(20, 1));
    var one = ledger(1);
    assertThat(heights(one, 1)).hasSize(20);
    second.fallBackTo(10);
    second.grow(15, 7);
    third.fallBackTo(10);
    third.grow(15, 7);

    for (int i = 0; i < 3 * MAX_LAG; i++) {
      first.grow(1, 1);
      goOn(one, 2, 1);
    }
    assertThat(await(one.head())).isEqualTo(at(20 + 3 * MAX_LAG));
  }

  /** CHN-3: else one wrong head, between two blocks of the good one, would be enough. */
  @Test
  void manyBlocksAtOnceAreNoReasonToFollowWhatDoesNotJoin() {
    List.of(first, second, third).forEach(node -> node.grow(20, 1));
    var one = ledger(1);
    assertThat(heights(one, 1)).hasSize(20);
    for (var apart : List.of(second, third)) {
      apart.fallBackTo(10);
      apart.grow(15, 7);
    }

    goOn(one, 2, 1);
    goOn(one, 10 * MAX_LAG, 2);
    pass(NodeHeads.LEAST_ALONE);

    assertThat(await(one.head())).isEqualTo(at(20));
  }

  @Test
  void whatDoesNotJoinIsNotFollowedBecauseItWasSilentForAWhile() {
    List.of(first, second, third).forEach(node -> node.grow(20, 1));
    var one = ledger(1);
    assertThat(heights(one, 1)).hasSize(20);
    for (var apart : List.of(second, third)) {
      apart.fallBackTo(10);
      apart.grow(15, 7);
    }
    goOn(one, 1, 1);

    List.of(second, third).forEach(apart -> apart.isOfChain(5));
    goOn(one, 1, 1);
    first.grow(1, 1);
    goOn(one, 1, 1);
    List.of(second, third).forEach(apart -> apart.isOfChain(Anvil.CHAIN));
    goOn(one, 1, 1);
    pass(NodeHeads.LEAST_ALONE);

    assertThat(await(one.head())).isEqualTo(at(21));
  }

  /** The second and the third, as often as that, and each has told of it. */
  private void goOn(EthereumLedger ledger, int blocks, int times) {
    for (int i = 0; i < times; i++) {
      second.grow(blocks, 1);
      third.grow(blocks, 1);
      int told = second.headQuestions() + third.headQuestions();
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                await(ledger.head());
                return second.headQuestions() + third.headQuestions() >= told + 4;
              });
    }
  }

  private static BlockHeight at(long height) {
    return new BlockHeight(height);
  }

  /** Another node may answer at the same address. */
  @Test
  void whatIsOfAnotherChainSinceAWhileIsNotBelieved() {
    List.of(first, second, third).forEach(node -> node.grow(20, 1));
    var ledger = ledger(1);
    assertThat(heights(ledger, 1)).hasSize(20);
    first.isOfChain(5);
    first.fallBackTo(0);
    first.grow(500, 7);

    assertThat(await(ledger.head())).isEqualTo(new BlockHeight(20));
    assertThat(ledger.remarks()).anySatisfy(remark -> assertThat(remark).contains("chain 5"));
    second.close();
    third.close();
    assertThatThrownBy(() -> await(ledger.head()))
        .hasCauseInstanceOf(LedgerUnreachableException.class)
        .hasMessageContaining("is of chain 5")
        .hasMessageNotContaining("backup");
  }

  /** Such as health and who looks after gas money: an endpoint may count what it is asked. */
  @Test
  void whoOnlyShowsTheHeadAsksNobodyWhoWasAskedAMomentBefore() {
    List.of(first, second, third).forEach(node -> node.grow(20, 1));
    var one = ledger(1);
    var money = one.gasMoney().orElseThrow();
    assertThat(await(one.recentHead())).as("nobody was asked yet").isEqualTo(at(20));
    int asked = first.headQuestions();

    pass(Duration.ofSeconds(4).minusNanos(1));
    assertThat(await(one.recentHead())).isEqualTo(at(20));
    await(money.accounts(Optional.empty(), List.of(), List.of(), 3));
    assertThat(first.headQuestions()).isEqualTo(asked);

    first.grow(1, 1);
    assertThat(await(one.head())).as("whoever waits").isEqualTo(at(21));
    assertThat(await(one.recentHead())).isEqualTo(at(21));
    pass(Duration.ofSeconds(4));
    await(one.recentHead());
    assertThat(first.headQuestions()).isEqualTo(asked + 2);
  }

  @Test
  void onceNothingIsReadNobodyIsToldOfAHeadOfBefore() {
    first.grow(20, 1);
    second.close();
    third.close();
    var one = ledger(1);
    assertThat(await(one.recentHead())).isEqualTo(at(20));
    first.close();

    assertThat(one.head().toCompletableFuture()).failsWithin(Duration.ofSeconds(60));
    assertThat(one.recentHead().toCompletableFuture()).failsWithin(Duration.ofSeconds(60));
  }

  @Test
  void whoeverCatchesUpAsksForNoHeadBetweenPages() {
    List.of(first, second, third).forEach(node -> node.grow(70, 1));
    var ledger = ledger(1);
    assertThat(await(ledger.head())).isEqualTo(new BlockHeight(70));
    int asked = first.headQuestions();

    assertThat(heights(ledger, 1)).hasSize(32);
    assertThat(heights(ledger, 33)).hasSize(32);
    assertThat(first.headQuestions()).isEqualTo(asked);

    first.grow(1, 1);
    assertThat(heights(ledger, 65)).endsWith(71L).hasSize(7);
  }

  @Test
  void oneOfAnotherChainIsNotBelieved() {
    first.grow(9, 7);
    first.isOfChain(5);
    second.grow(3, 1);
    third.grow(3, 1);
    var ledger = ledger(1);

    assertThat(await(ledger.head())).isEqualTo(new BlockHeight(3));
    assertThat(ledger.remarks()).anySatisfy(remark -> assertThat(remark).contains("chain 5"));
  }

  @Test
  void whatFewerThanTheQuorumHaveDoesNotCountYet() {
    first.grow(4, 1);
    second.grow(3, 1);
    third.grow(2, 1);

    // The second answers before the third.
    third.keepsItsHeadBack();
    var ofTwo = ledger(2);
    assertThat(await(ofTwo.head())).isEqualTo(new BlockHeight(3));
    third.tellsItsHead();
    assertThat(heights(ofTwo, 1)).containsExactly(1L, 2L, 3L);

    assertThat(heights(ledger(3), 1)).containsExactly(1L, 2L);
  }

  @Test
  void aForkOfOneIsOutvotedAndBlocksThatNobodyElseHasAreNotRead() {
    first.grow(1, 1).grow(3, 1);
    second.grow(1, 1).grow(3, 1);
    third.grow(1, 1).grow(3, 2);
    assertThat(heights(ledger(2), 1)).containsExactly(1L, 2L, 3L, 4L);

    second.fallBackTo(1);
    second.grow(3, 3);
    assertThat(heights(ledger(2), 1)).as("what two agree on").containsExactly(1L);
    assertThatThrownBy(() -> heights(ledger(2), 2))
        .hasCauseInstanceOf(LedgerUnreachableException.class)
        .hasMessageContaining("different blocks at height 2");
  }

  @Test
  void whileTooFewAnswerNothingIsRead() {
    first.grow(4, 1);
    second.close();
    third.close();

    assertThatThrownBy(() -> await(ledger(2).head()))
        .hasCauseInstanceOf(LedgerUnreachableException.class)
        .hasMessageContaining("1 of the chain's 3 nodes answer");
  }

  @Test
  void nodesThatWereRestoredFromABackupAreNotFollowedUntilTheyHaveCaughtUp() {
    for (var node : List.of(first, second, third)) {
      node.grow(20, 1);
    }
    // All three must answer, so that none has its older answer on the way.
    var ledger = ledger(3);
    assertThat(heights(ledger, 1)).hasSize(20);

    for (var node : List.of(first, second, third)) {
      node.fallBackTo(10);
    }
    assertThatThrownBy(() -> await(ledger.head()))
        .hasCauseInstanceOf(LedgerUnreachableException.class)
        .hasMessageContaining("no block after 10, and block 20 was seen");

    for (var node : List.of(first, second, third)) {
      node.grow(10, 1);
    }
    assertThat(await(ledger.head())).isEqualTo(new BlockHeight(20));
  }
}
