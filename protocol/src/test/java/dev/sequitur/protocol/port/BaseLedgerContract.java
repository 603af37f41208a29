package dev.sequitur.protocol.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.attestation.Attestation;
import dev.sequitur.protocol.attestation.Attestation.Purpose;
import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import dev.sequitur.protocol.ledger.LedgerReceipt.NonceUsed;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerReceipt.Reverted;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.LedgerTransaction.Call;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.ledger.LedgerTransaction.UseNonce;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.ledger.SubmitOutcome.Invalid;
import dev.sequitur.protocol.ledger.SubmitOutcome.NonceTooLow;
import dev.sequitur.protocol.ledger.SubmitOutcome.Pooled;
import dev.sequitur.protocol.ledger.SubmitOutcome.Underpriced;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.Signature;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What whoever implements the port {@link BaseLedger} passes. */
public abstract class BaseLedgerContract {
  private static final long GAS_LIMIT = 1_000_000;

  /** The ledger through the port; of the chain {@link BaseLedger#LOCAL_CHAIN}. */
  protected abstract BaseLedger ledger();

  /** Keys that have signed nothing on this ledger yet. */
  protected abstract Keys keys();

  protected abstract LedgerAddress address(Signer signer);

  /** Stands on the ledger, and nothing was fulfilled on it. */
  protected abstract ContractAddress contract();

  /** As many as the contract wants. */
  protected abstract List<Signature> endorsements(Hash digest);

  /** Makes the next block of what waits, and returns when the port shows it. */
  protected abstract void cut();

  /** Replaces the newest block by another one, and returns when the port shows that. */
  protected abstract void replaceNewest();

  /** From now on it is awaited what becomes of all that a key sends (PUB-4), where that can be. */
  protected void awaitPublic(LedgerAddress signer) {}

  /** What the ledger says of a transition that needs a state which is spent, or was never made. */
  protected RevertReason reason(RevertReason exact) {
    return exact;
  }

  /** What it takes into a block. */
  protected Fees price() {
    return Fees.flat(1_000);
  }

  /** Whether the next nonce of a key can be told with what is in the pool. */
  protected boolean countsItsPool() {
    return true;
  }

  /** Whether a replacement must offer more of both fees. */
  protected boolean comparesBothFees() {
    return true;
  }

  /** The answer, once it is there. */
  protected abstract <T> T await(CompletionStage<T> answer);

  @Test
  void theSameTransactionIsSignedInTheSameWayEachTime() {
    var transaction = transaction("key", 0, price(), invoke("one"));

    assertThat(ledger().sign(transaction, keys().signer("key")))
        .isEqualTo(ledger().sign(transaction, keys().signer("key")));
    assertThat(ledger().sign(transaction, keys().signer("key")).transaction())
        .isEqualTo(transaction);
  }

  @Test
  void noTwoTransactionsHaveTheSameHash() {
    var hashes =
        Stream.of(
                signed("key", 0, price(), invoke("one")),
                signed("key", 0, price(), invoke("other")),
                signed("key", 0, price(), new UseNonce()),
                signed("key", 0, new Fees(price().max() + 1, price().priority()), invoke("one")),
                signed("key", 1, price(), invoke("one")),
                signed("another", 0, price(), invoke("one")))
            .map(SignedLedgerTransaction::hash);

    assertThat(hashes).doesNotHaveDuplicates();
  }

  @Test
  void aTransactionIsPooledUnderItsHashAndHasNoReceiptBeforeItIsInABlock() {
    var transaction = signed("key", 0, price(), invoke("one"));

    assertThat(submit(transaction)).isEqualTo(new Pooled(transaction.hash()));

    assertThat(await(ledger().receipt(transaction.hash()))).isEmpty();
    assertThat(await(ledger().transaction(transaction.hash()))).isEmpty();
    assertPending("key", 0, 1);
    assertThat(await(ledger().knows(transaction.hash()))).isTrue();
  }

  @Test
  void theNextBlockHoldsItWithAReceiptUnderItsHash() {
    var transaction = signed("key", 0, price(), invoke("one"));
    submit(transaction);

    cut();

    var receipt = receipt(transaction);
    var block = newest();
    assertThat(receipt.hash()).isEqualTo(transaction.hash());
    assertThat(receipt.signer()).isEqualTo(transaction.transaction().signer());
    assertThat(receipt.nonce()).isZero();
    assertThat(receipt.block()).isEqualTo(block.height());
    assertThat(block.receipts().get(receipt.index())).isEqualTo(receipt);
    assertThat(receipt.results())
        .containsExactly(
            new Fulfilled(contract(), intent("one"), List.of(), List.of(), List.of(state("one"))));
    assertThat(await(ledger().transaction(transaction.hash()))).contains(transaction.transaction());
    assertPending("key", 1, 1);
    assertThat(await(ledger().knows(transaction.hash()))).isTrue();
  }

  /** Where the ledger can. */
  @Test
  void whatHasUsedANonceIsFoundByIt() {
    submit(signed("key", 0, price(), invoke("one")));
    cut();
    var second = signed("key", 1, price(), invoke("two"));
    submit(second);
    var signer = second.transaction().signer();

    for (var index : ledger().nonces().stream().toList()) {
      assertThat(await(index.receipt(new Receipt.Nonce(signer, 1)))).isEmpty();
      cut();
      assertThat(await(index.receipt(new Receipt.Nonce(signer, 1)))).contains(receipt(second));
      assertThat(await(index.receipt(new Receipt.Nonce(signer, 2)))).isEmpty();
      var another = address(keys().signer("another"));
      assertThat(await(index.receipt(new Receipt.Nonce(another, 0)))).isEmpty();
    }
  }

  @Test
  void theSameAgainIsPooledAndHappensOnce() {
    var transaction = signed("key", 0, price(), invoke("one"));
    submit(transaction);
    assertThat(submit(transaction)).isEqualTo(new Pooled(transaction.hash()));
    cut();
    var receipt = receipt(transaction);

    assertThat(submit(transaction)).isEqualTo(new Pooled(transaction.hash()));
    cut();

    assertThat(receipt(transaction)).isEqualTo(receipt);
    assertThat(nonce("key")).isEqualTo(1);
  }

  @Test
  void eachTransactionOfACallHasAnOutcomeOfItsOwnInTheirOrder() {
    var used = signed("key", 0, price(), invoke("used"));
    submit(used);
    cut();
    var good = signed("key", 1, price(), invoke("good"));
    var late = signed("key", 0, price(), invoke("late"));

    assertThat(await(ledger().submit(List.of(good, late))))
        .containsExactly(new Pooled(good.hash()), new NonceTooLow(late.hash(), 1));
  }

  @Test
  void whatWaitsBehindAGapIsInABlockOnceTheGapIsFilled() {
    var second = signed("key", 1, price(), invoke("second"));
    assertThat(submit(second)).isInstanceOf(Pooled.class);
    cut();
    assertThat(await(ledger().receipt(second.hash()))).isEmpty();
    assertPending("key", 0, 0);

    submit(signed("key", 0, price(), new UseNonce()));
    assertPending("key", 0, 2);
    cut();

    assertThat(receipt(second).nonce()).isEqualTo(1);
    assertThat(nonce("key")).isEqualTo(2);
  }

  @Test
  void whatUsesItsNonceOnlyHasOneResultThatSaysSo() {
    var transaction = signed("key", 0, price(), new UseNonce());
    submit(transaction);

    cut();

    assertThat(receipt(transaction).results()).containsExactly(new NonceUsed());
  }

  @Test
  void whatPaysTooLittleToReplaceAnotherIsToldWhatIsNeededAndThatReplacesIt() {
    var first = signed("key", 0, price(), invoke("first"));
    submit(first);
    var cheap = signed("key", 0, price(), invoke("second"));

    var outcome = submit(cheap);

    assertThat(outcome).isInstanceOf(Underpriced.class);
    assertThat(outcome.hash()).isEqualTo(cheap.hash());
    var needed = ((Underpriced) outcome).needed();
    if (comparesBothFees()) {
      var half = new Fees(needed.max(), price().priority());
      assertThat(submit(signed("key", 0, half, invoke("third")))).isInstanceOf(Underpriced.class);
    }
    var dear = signed("key", 0, needed, invoke("second"));
    assertThat(submit(dear)).isEqualTo(new Pooled(dear.hash()));
    cut();
    assertThat(receipt(dear).nonce()).isZero();
    assertThat(await(ledger().receipt(first.hash()))).isEmpty();
  }

  @Test
  void aSignatureOfAnotherKeyIsInvalid() {
    var good = signed("key", 0, price(), invoke("one"));
    var bad = signed("another", 0, price(), invoke("one"));
    var forged =
        new SignedLedgerTransaction(
            good.transaction(), good.hash(), good.verifier(), bad.signature());

    assertThat(submit(forged)).isInstanceOf(Invalid.class);
    assertThat(submit(good)).isInstanceOf(Pooled.class);
  }

  @Test
  void eachTransitionIsFulfilledOrRefusedByItself() {
    var call =
        new Invoke(
            List.of(
                prepared("makes", List.of(), List.of()),
                prepared("spends", List.of(state("makes")), List.of()),
                prepared("too late", List.of(state("makes")), List.of()),
                prepared("unknown", List.of(), List.of(state("never made"))),
                prepared("makes", List.of(), List.of()),
                prepared("last", List.of(), List.of())));
    var transaction = signed("key", 0, price(), call);
    submit(transaction);

    cut();

    assertThat(receipt(transaction).results().stream().map(BaseLedgerContract::end))
        .containsExactly(
            "fulfilled",
            "fulfilled",
            reason(RevertReason.STATE_SPENT).name(),
            reason(RevertReason.STATE_UNKNOWN).name(),
            RevertReason.INTENT_FULFILLED.name(),
            "fulfilled");
  }

  /** Two need to know: whoever has sent the call, and the group. */
  @Test
  void theTransitionsOfACallAreToldThoughItsSignersPublicTransactionsAreAwaited() {
    awaitPublic(address(keys().signer("key")));
    var call =
        new Invoke(
            List.of(
                prepared("makes", List.of(), List.of()),
                prepared("spends", List.of(state("makes")), List.of()),
                prepared("makes", List.of(), List.of())));
    var transaction = signed("key", 0, price(), call);
    submit(transaction);

    cut();

    var inBlock = newest().receipts().getLast();
    assertThat(inBlock.results().stream().map(BaseLedgerContract::end))
        .startsWith("fulfilled", "fulfilled", RevertReason.INTENT_FULFILLED.name());
    assertThat(receipt(transaction)).isEqualTo(inBlock);
  }

  @Test
  void aTransitionWithoutEnoughEndorsementsIsRefused() {
    var one = prepared("one", List.of(), List.of());
    var bare =
        new PreparedTransaction(
            one.intent(),
            one.contract(),
            one.inputs(),
            one.reads(),
            one.outputs(),
            new Proof(one.proof().path(), List.of()));
    var transaction = signed("key", 0, price(), Invoke.of(bare));
    submit(transaction);

    cut();

    assertThat(receipt(transaction).results().stream().map(BaseLedgerContract::end))
        .containsExactly(RevertReason.ENDORSEMENT_INVALID.name());
  }

  @Test
  void blocksFollowOneUponAnotherFromOneUpToTheHead() {
    for (int i = 0; i < 5; i++) {
      submit(signed("key", i, price(), invoke("intent " + i)));
      cut();
    }

    var blocks = blocks(BlockHeight.ZERO);

    assertThat(blocks.get(0).height().value()).isEqualTo(1);
    assertThat(newest(blocks).height()).isEqualTo(head());
    for (int i = 1; i < blocks.size(); i++) {
      assertThat(blocks.get(i).height().value()).isEqualTo(i + 1L);
      assertThat(blocks.get(i).parent()).isEqualTo(blocks.get(i - 1).hash());
      assertThat(blocks.get(i).timestamp()).isAfter(blocks.get(i - 1).timestamp());
    }
    assertThat(blocks).extracting(Block::hash).doesNotHaveDuplicates();
  }

  @Test
  void atMostAsManyBlocksComeAsAreAskedForAndNoneBeyondTheHead() {
    cut();
    cut();
    cut();

    assertThat(await(ledger().blocks(new BlockHeight(2), 1)))
        .extracting(Block::height)
        .containsExactly(new BlockHeight(2));
    assertThat(await(ledger().blocks(new BlockHeight(head().value() + 1), 10))).isEmpty();
  }

  @Test
  void aReorganisationShowsInTheHashesAndBlocksFollowAgain() {
    var transaction = signed("key", 0, price(), invoke("one"));
    submit(transaction);
    cut();
    var before = newest();

    replaceNewest();
    cut();

    var blocks = blocks(BlockHeight.ZERO);
    assertThat(blocks).extracting(Block::hash).doesNotContain(before.hash());
    for (int i = 1; i < blocks.size(); i++) {
      assertThat(blocks.get(i).parent()).isEqualTo(blocks.get(i - 1).hash());
    }
    assertThat(receipt(transaction).results().stream().map(BaseLedgerContract::end))
        .containsExactly("fulfilled");
    assertThat(nonce("key")).isEqualTo(1);
  }

  @Test
  void ofWhatIsInNoBlockNothingIsKnown() {
    var unknown = new TransactionHash(hash("unknown"));

    assertThat(await(ledger().receipt(unknown))).isEmpty();
    assertThat(await(ledger().transaction(unknown))).isEmpty();
    assertPending("nobody", 0, 0);
    assertThat(await(ledger().knows(unknown))).isFalse();
  }

  private LedgerTransaction transaction(String key, long nonce, Fees fees, Call call) {
    return new LedgerTransaction(address(keys().signer(key)), nonce, fees, GAS_LIMIT, call);
  }

  private SignedLedgerTransaction signed(String key, long nonce, Fees fees, Call call) {
    return ledger().sign(transaction(key, nonce, fees, call), keys().signer(key));
  }

  private Invoke invoke(String name) {
    return Invoke.of(prepared(name, List.of(), List.of()));
  }

  /** Makes the state of its name. */
  private PreparedTransaction prepared(String name, List<StateId> inputs, List<StateId> reads) {
    var outputs = List.of(state(name));
    var digest =
        new Attestation(Purpose.ENDORSEMENT, BaseLedger.LOCAL_CHAIN, contract())
            .digest(Attestation.transition(intent(name), inputs, reads, outputs), MerklePath.ALONE);
    return new PreparedTransaction(
        intent(name),
        contract(),
        inputs,
        reads,
        outputs,
        new Proof(MerklePath.ALONE, endorsements(digest)));
  }

  private IntentKey intent(String name) {
    var id = new TransactionId(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
    var sender = Identity.parse("alice@node1");
    return new IntentKey(id, SenderCommitment.of(contract(), id, sender, hash(name)));
  }

  private static StateId state(String name) {
    return new StateId(hash("state " + name));
  }

  private static Hash hash(String name) {
    return new CanonicalDigest().add(name).finish();
  }

  private static String end(LedgerReceipt.Result result) {
    return switch (result) {
      case Fulfilled ignored -> "fulfilled";
      case Reverted reverted -> reverted.reason().name();
      case LedgerReceipt.Deployed ignored -> "deployed";
      case LedgerReceipt.CommitteeChanged ignored -> "committee changed";
      case LedgerReceipt.ChangeRefused refused -> refused.flaw().name();
      case NonceUsed ignored -> "nonce used";
      case LedgerReceipt.Called ignored -> "called";
    };
  }

  private SubmitOutcome submit(SignedLedgerTransaction transaction) {
    return await(ledger().submit(List.of(transaction))).get(0);
  }

  private LedgerReceipt receipt(SignedLedgerTransaction transaction) {
    return await(ledger().receipt(transaction.hash())).orElseThrow();
  }

  private long nonce(String key) {
    return await(ledger().nonce(address(keys().signer(key))));
  }

  private void assertPending(String key, long used, long pooled) {
    assertThat(nonce(key)).isEqualTo(used);
    assertThat(await(ledger().pendingNonce(address(keys().signer(key)))))
        .isEqualTo(countsItsPool() ? pooled : used);
  }

  private BlockHeight head() {
    return await(ledger().head());
  }

  private List<Block> blocks(BlockHeight from) {
    return new ArrayList<>(await(ledger().blocks(from, 1_000)));
  }

  private Block newest() {
    return newest(blocks(BlockHeight.ZERO));
  }

  private static Block newest(List<Block> blocks) {
    return blocks.get(blocks.size() - 1);
  }
}
