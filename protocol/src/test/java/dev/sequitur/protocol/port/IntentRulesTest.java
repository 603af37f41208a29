package dev.sequitur.protocol.port;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.GROUP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.Acceptance.IdempotencyConflict;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Which intents a node takes, and that each refusal says what to do instead. */
class IntentRulesTest {
  private static final Identity STRANGER = new Identity("stranger", A);
  private static final TransactionId ID = new TransactionId(new UUID(0, 7));

  @Test
  void aMemberOfThisNodeSendsInTheGroupsDomain() {
    IntentRules.check(GROUP, GROUP.domain(), Contract.party(A), A);
  }

  @Test
  void theDomainIsTheGroups() {
    assertRefused(
        () -> IntentRules.check(GROUP, "other", Contract.party(A), A),
        "SQ020002",
        "The group's domain is test, not other: send that, or leave it out.");
  }

  @Test
  void whoSendsIsOfThisNode() {
    assertRefused(
        () -> IntentRules.check(GROUP, GROUP.domain(), Contract.party(B), A),
        "SQ020003",
        "Send it to node b: 'from' must be an identity of the node that is called, which is a.");
  }

  @Test
  void whoSendsIsAMember() {
    assertRefused(
        () -> IntentRules.check(GROUP, GROUP.domain(), STRANGER, A),
        "SQ020004",
        "stranger@a is no member of the group: 'from' must be one of [party@a, party@b, party@c].");
  }

  @Test
  void otherReasonsToRefuseHaveACodeAndASentenceThatNamesWhatTheyAreAbout() {
    assertSays(IntentRules.unknownGroup(ADDRESS), "SQ020001", "" + ADDRESS);
    assertSays(IntentRules.unknownDependency(ID), "SQ020006", "" + ID);
    assertSays(IntentRules.noContracts(), "SQ020017", "ledger.mode = ethereum");
    assertSays(IntentRules.nodesOwnKey(STRANGER), "SQ020018", "stranger@a");
    assertSays(IntentRules.keyRevoked(STRANGER), "SQ020027", "stranger@a is revoked");
    assertSays(IntentRules.wouldFail("No money."), "SQ020019", "No money.");
    assertSays(IntentRules.noEstimate("No answer."), "SQ020020", "No answer.");
    assertSays(IntentRules.tooMuchGas(9, 5), "SQ020021", "`gas` is 9, and a block");
    assertSays(IntentRules.tooMuchGas(9, 5), "SQ020021", "has room for 5");
  }

  @Test
  void aKeyThatWasUsedBeforeIsNamedWithWhatItWasUsedFor() {
    var refused = IntentRules.conflict(List.of(intent(1)), new IdempotencyConflict("key", ID));

    assertSays(refused, "SQ020007", "The idempotency key 'key' was used with another body");
    assertSays(refused, "SQ020007", "" + ID);
  }

  @Test
  void ofTwoInOneCallNobodyIsSentLookingForTheOther() {
    var batch = List.of(intent(1), intent(2));
    var original = batch.get(1).transaction().id();

    var refused = IntentRules.conflict(batch, new IdempotencyConflict("key", original));

    assertSays(refused, "SQ020007", "Two transactions of this call have the idempotency key 'key'");
    assertThat(refused).hasMessageNotContaining(original.toString());
  }

  private static Intent intent(long number) {
    PrivateTransaction transaction = Contract.transaction(A, number);
    return new Intent(
        0,
        Instant.EPOCH,
        Optional.of(new IdempotencyKey(IdempotencyKey.Owner.of(Contract.party(A)), "key")),
        Contract.hash("body " + number),
        transaction);
  }

  private static void assertRefused(ThrowingCallable check, String code, String sentence) {
    assertThatExceptionOfType(RefusedIntent.class)
        .isThrownBy(check)
        .withMessage(sentence)
        .extracting(RefusedIntent::code)
        .isEqualTo(code);
  }

  private static void assertSays(RefusedIntent refused, String code, String part) {
    assertThat(refused.code()).isEqualTo(code);
    assertThat(refused).hasMessageContaining(part);
  }
}
