package dev.sequitur.sequencer.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.port.PublicContracts;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.actor.ScriptedPorts;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Which public transactions a node takes (PUB-1); the test answers for the chain. */
class PublicChecksTest {
  private static final Arbitrary ANY = new Arbitrary(5);
  private static final Identity ALICE = Identity.parse("alice@node1");
  private static final Bytes ABI = Bytes.utf8("[]");

  private final ScriptedPorts ports = new ScriptedPorts();
  private final NodeServices services = ActorFixture.withoutEntities(ports.setup(0));
  private final PublicChecks checks = new PublicChecks(services);
  private final List<LedgerAddress> askedFor = new ArrayList<>();
  private final List<PublicCall> asked = new ArrayList<>();
  private CompletionStage<Long> mostGas = CompletableFuture.completedFuture(30_000_000L);

  private static PublicTransaction call(Identity from, long gas) {
    return new PublicTransaction(
        ANY.next(TransactionId.class),
        from,
        Optional.of(ANY.next(ContractAddress.class)),
        Bytes.utf8("a call"),
        BigInteger.TWO,
        gas,
        new PublicTransaction.Source(Optional.of("f()"), Optional.empty(), Optional.of(ABI)));
  }

  private static Intent intent(PublicTransaction transaction) {
    return new Intent(
        3,
        Instant.EPOCH,
        Optional.of(new IdempotencyKey(IdempotencyKey.Owner.of(transaction.from()), "a key")),
        ANY.next(Hash.class),
        transaction);
  }

  /** A chain on which each call comes to the same. */
  private void runs(CompletionStage<PublicContracts.Estimate> estimate) {
    ports.runContracts(
        new PublicContracts() {
          @Override
          public CompletionStage<Estimate> estimate(LedgerAddress from, PublicCall call) {
            askedFor.add(from);
            asked.add(call);
            return estimate;
          }

          @Override
          public CompletionStage<CallOutcome> call(LedgerAddress from, PublicCall call) {
            throw new AssertionError("Nobody has called a contract.");
          }

          @Override
          public CompletionStage<BigInteger> balance(LedgerAddress account) {
            return CompletableFuture.completedFuture(BigInteger.ZERO);
          }

          @Override
          public CompletionStage<Long> mostGas() {
            return mostGas;
          }

          @Override
          public String reason(Bytes revertData, Optional<Bytes> abi) {
            return "%s by %s.".formatted(revertData.toUtf8(), abi.orElseThrow().toUtf8());
          }

          @Override
          public CompletionStage<Long> nonce(LedgerAddress signer, BlockHeight height) {
            throw new AssertionError("Nobody has asked for the nonce of " + signer);
          }

          @Override
          public CompletionStage<List<Event>> events(TransactionHash hash, BlockHeight block) {
            throw new AssertionError("Nobody has asked for events.");
          }

          @Override
          public CompletionStage<List<Placed>> events(Wanted wanted) {
            throw new AssertionError("Nobody has asked for events.");
          }
        });
  }

  private void runs(PublicContracts.Estimate estimate) {
    runs(CompletableFuture.completedFuture(estimate));
  }

  private String refused(PublicTransaction transaction) {
    return catchThrowableOfType(RefusedIntent.class, () -> checks.check(transaction)).code();
  }

  @Test
  void aLedgerThatRunsNoContractsTakesNone() {
    assertThat(refused(call(ALICE, 1))).isEqualTo("SQ020017");
  }

  @Test
  void itsSenderIsOfThisNode() {
    runs(new PublicContracts.Estimate.Gas(1));

    assertThatNoException().isThrownBy(() -> checks.check(call(ALICE, 1)));
    assertThat(refused(call(new Identity("alice", new NodeName("node2")), 1)))
        .isEqualTo("SQ020003");
  }

  /** Whoever had it signed with one would use up a nonce of the node's own. */
  @Test
  void itIsNotSignedWithAKeyOfTheNodesOwn() {
    runs(new PublicContracts.Estimate.Gas(1));
    var names =
        List.of(
            NodeKeyNames.submitter(ANY.next(ContractAddress.class)),
            NodeKeyNames.deployer(ANY.next(GroupId.class)),
            NodeKeyNames.funding());

    for (var name : names) {
      assertThat(refused(call(new Identity(name, ALICE.node()), 1))).as(name).isEqualTo("SQ020018");
    }
  }

  @Test
  void itIsNotSignedWithAKeyThatIsRevoked() {
    runs(new PublicContracts.Estimate.Gas(1));
    ports.revoke("alice");

    assertThat(refused(call(ALICE, 1))).isEqualTo("SQ020027");
    checks.check(call(new Identity("bob", ALICE.node()), 1));
  }

  @Test
  void whoseGasTheCallerHasNotSaidGetsWhatTheChainEstimatesForItsSigner() {
    runs(new PublicContracts.Estimate.Gas(77_000));
    var intent = intent(call(ALICE, 0));

    assertThat(checks.withGas(intent).toCompletableFuture())
        .isCompletedWithValue(
            new Intent(
                intent.order(),
                intent.created(),
                intent.idempotencyKey(),
                intent.bodyHash(),
                intent.publicly().orElseThrow().withGas(77_000)));
    assertThat(asked).containsExactly(PublicCall.of(intent.publicly().orElseThrow()));
    assertThat(askedFor)
        .containsExactly(services.signatures().address(services.keys().verifier("alice")));
  }

  @Test
  void whoseGasTheCallerHasSaidIsNotAskedFor() {
    runs(new PublicContracts.Estimate.Gas(77_000));
    var intent = intent(call(ALICE, 1));

    assertThat(checks.withGas(intent).toCompletableFuture()).isCompletedWithValue(intent);
    assertThat(asked).isEmpty();
  }

  @Test
  void whatNoBlockHasRoomForIsRefusedWithWhatABlockHas() {
    runs(new PublicContracts.Estimate.Gas(77_000));
    var fits = intent(call(ALICE, 30_000_000));

    assertThat(checks.withGas(fits).toCompletableFuture()).isCompletedWithValue(fits);
    assertThat(refusal(checks.withGas(intent(call(ALICE, 30_000_001))), "SQ020021"))
        .hasMessageContaining("30000001")
        .hasMessageContaining("room for 30000000:");
  }

  /** As before: the pool says what it takes. */
  @Test
  void whileTheChainIsAwayNobodyAsksWhatABlockHasRoomFor() {
    runs(new PublicContracts.Estimate.Gas(77_000));
    mostGas =
        CompletableFuture.failedFuture(
            new LedgerUnreachableException("The chain does not answer.", null));
    var intent = intent(call(ALICE, Long.MAX_VALUE));

    assertThat(checks.withGas(intent).toCompletableFuture()).isCompletedWithValue(intent);
  }

  @Test
  void aPrivateTransactionIsNotAskedFor() {
    runs(new PublicContracts.Estimate.Gas(77_000));
    var intent = ANY.next(PrivateTransaction.class);
    var privately = new Intent(1, Instant.EPOCH, Optional.empty(), ANY.next(Hash.class), intent);

    assertThat(checks.withGas(privately).toCompletableFuture()).isCompletedWithValue(privately);
    assertThat(asked).isEmpty();
  }

  @Test
  void whatWouldFailIsRefusedWithWhatTheContractSays() {
    runs(new PublicContracts.Estimate.Fails(Bytes.utf8("TooMuch"), "It reverted."));
    assertThat(refusal(checks.withGas(intent(call(ALICE, 0)))))
        .hasMessageContaining("TooMuch by [].");

    runs(new PublicContracts.Estimate.Fails(Bytes.EMPTY, "It has no such function."));
    assertThat(refusal(checks.withGas(intent(call(ALICE, 0)))))
        .hasMessageContaining("It has no such function.");
  }

  private static RefusedIntent refusal(CompletionStage<Intent> answer) {
    return refusal(answer, "SQ020019");
  }

  private static RefusedIntent refusal(CompletionStage<Intent> answer, String code) {
    var refusal =
        catchThrowableOfType(
            RefusedIntent.class,
            () -> {
              try {
                answer.toCompletableFuture().join();
              } catch (CompletionException e) {
                throw e.getCause();
              }
            });
    assertThat(refusal.code()).isEqualTo(code);
    return refusal;
  }

  @Test
  void thatTheChainIsAwayIsNotHeldAgainstTheCall() {
    var away = new LedgerUnreachableException("The chain does not answer.", null);
    runs(CompletableFuture.failedFuture(away));

    assertThat(checks.withGas(intent(call(ALICE, 0))).toCompletableFuture())
        .isCompletedExceptionally()
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCause(away);
  }
}
