package dev.sequitur.scheduler.multisignature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.SigningKeys;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.Submission;
import dev.sequitur.scheduler.body.SignatureVerifier;
import dev.sequitur.scheduler.body.Signers;
import dev.sequitur.scheduler.body.Signers.Signer;
import dev.sequitur.scheduler.body.SubmittedTransaction;
import dev.sequitur.scheduler.body.SubmittedTransaction.Header;
import dev.sequitur.scheduler.body.SubmittedTransaction.Operation;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** By which keys the signatures of a transaction are verified. */
class VerifiedOperationsTest {
  private static final EntityId ALICE = new EntityId(1001);
  private static final Bytes BODY = Bytes.utf8("a body");

  private final Signer alice = Signers.secp256k1(7);
  private final Signer next = Signers.secp256k1(8);
  private final VerifiedOperations operations = new VerifiedOperations(new SignatureVerifier());

  /** The queue does not know them yet, and a prefix is no whole key. */
  @Test
  void aKeyThatATransactionBringsAlongIsOneOfThoseThatAPrefixCanMean() {
    var create =
        new Operation.CryptoCreate(new Action.CryptoCreate(next.key(), Amount.ZERO, true, ""));
    var update = new Operation.CryptoUpdate(ALICE, next.key());
    for (var operation : List.of(create, update)) {
      assertThat(signers(operation)).containsExactlyInAnyOrder(alice.key(), next.key());
    }
    assertThat(signers(new Operation.ScheduleDelete(ALICE))).containsExactly(alice.key());
  }

  /** It may be for the same queue under another account: the record tells which one it was. */
  @Test
  void theNodeAccountThatTheSignedBodyNamesIsKept() {
    assertThat(verified(new Operation.ScheduleDelete(ALICE)).node())
        .isEqualTo(new NodeAccount(0, 4));
  }

  private Set<PublicKey> signers(Operation operation) {
    return verified(operation).signatures().signers();
  }

  private Submission verified(Operation operation) {
    var header = new Header(AccountTransactionId.submitted(ConsensusTime.ZERO, ALICE), 120, 1, "");
    var sent =
        new SubmittedTransaction(
            new NodeAccount(0, 4),
            new NodeAccount(0, 4),
            BODY,
            Bytes.EMPTY,
            new Hash(0, 0, 0, 0),
            List.of(alice.sign(BODY, 3), next.sign(BODY, 3)),
            header,
            operation);
    var known = new SigningKeys(List.of(alice.key()), List.of(), Bytes.EMPTY, 0);
    var ours = sent.to(NodeAccount.of(new NodeName("node1"), "default"));
    return operations.verify(ours, known, false).by();
  }
}
