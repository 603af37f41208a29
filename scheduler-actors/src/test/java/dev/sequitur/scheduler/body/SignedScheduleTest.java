package dev.sequitur.scheduler.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.WallTime;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureQuery;
import dev.sequitur.schedule.multisignature.MultiSignatureResult;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.schedule.queue.ScheduleQueue;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.TransactionReceipt;
import dev.sequitur.scheduler.body.Signers.Signer;
import dev.sequitur.scheduler.body.SubmittedTransaction.Header;
import dev.sequitur.scheduler.multisignature.VerifiedOperations;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** From Hedera's bytes with real signatures to money that moved. */
class SignedScheduleTest {
  private static final AccountId OPERATOR = new AccountId("operator");
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);

  private static final NodeAccount QUEUE = NodeAccount.of(new NodeName("node1"), "default");
  private final MultiSignatureSettings settings = MultiSignatureSettings.MVP;
  private final ScheduleQueue rules =
      new ScheduleQueue(QueueSetup.of(OPERATOR, new MultiSignature(settings)));
  private final TransactionReader reader = TransactionReader.of(settings.profile(), QUEUE);
  private final TransactionWriter writer = new TransactionWriter(settings.profile(), QUEUE);
  private final VerifiedOperations operations = new VerifiedOperations(new SignatureVerifier());
  private QueueState state = QueueState.initial();
  private int submitted;

  @Test
  void threePartiesSignATransferAndTheLastSignatureRunsIt() throws Exception {
    var aliceSigner = Signers.ed25519();
    var bobSigner = Signers.secp256k1(7);
    var alice = open(aliceSigner);
    var bob = open(bobSigner);
    var body =
        writer.scheduled(
            1,
            100,
            "",
            new Action.CryptoTransfer(
                List.of(
                    new AccountAmount(alice, -5),
                    new AccountAmount(bob, -5),
                    new AccountAmount(open(Signers.ed25519()), 10))));

    var creation = Creation.of(body, Optional.empty(), Optional.empty());
    var created =
        submit(
            alice,
            aliceSigner,
            new SubmittedTransaction.Operation.ScheduleCreate(
                creation, List.of(aliceSigner.sign(body.bytes(), 6))));
    assertThat(created.status()).isEqualTo(ResponseCode.SUCCESS);
    var schedule = created.schedule().orElseThrow();

    var forged =
        submit(
            alice,
            aliceSigner,
            new SubmittedTransaction.Operation.ScheduleSign(
                schedule, List.of(bobSigner.sign(Bytes.utf8("something else")))));
    assertThat(forged.status()).isEqualTo(ResponseCode.SOME_SIGNATURES_WERE_INVALID);

    var signed =
        submit(
            bob,
            bobSigner,
            new SubmittedTransaction.Operation.ScheduleSign(
                schedule, List.of(bobSigner.sign(body.bytes(), 6))));
    assertThat(signed.status()).isEqualTo(ResponseCode.SUCCESS);
    var records =
        rules.ask(
            state,
            new MultiSignatureQuery.GetRecords(signed.scheduledTransaction().orElseThrow()),
            WallTime.of(NOW));
    assertThat(((MultiSignatureAnswer.Records) records).records())
        .singleElement()
        .satisfies(ran -> assertThat(ran.receipt().status()).isEqualTo(ResponseCode.SUCCESS));
  }

  @Test
  void whoeverPaysSignsTheOuterTransaction() throws Exception {
    var signer = Signers.ed25519();
    var alice = open(signer);

    var receipt =
        submit(
            alice,
            Signers.ed25519(),
            new SubmittedTransaction.Operation.ScheduleDelete(new EntityId(5)));

    assertThat(receipt.status()).isEqualTo(ResponseCode.INVALID_PAYER_SIGNATURE);
  }

  private TransactionReceipt submit(
      EntityId payer, Signer signer, SubmittedTransaction.Operation operation) throws Exception {
    var start = ConsensusTime.of(NOW.minusMillis(100 - submitted++));
    var header = new Header(AccountTransactionId.submitted(start, payer), 120, 1_000, "");
    var body = writer.body(header, operation);
    var transaction = reader.read(TransactionWriter.signed(body, List.of(signer.sign(body, 6))));
    var keys = rules.ask(state, VerifiedOperations.question(transaction), WallTime.of(NOW));
    return perform(
        payer.account(),
        operations.verify(transaction, (MultiSignatureAnswer.SigningKeys) keys, false));
  }

  private EntityId open(Signer signer) {
    var account = new Account(signer.key(), false, "");
    var id =
        perform(OPERATOR, new MultiSignatureOperation.OpenAccount(account)).account().orElseThrow();
    var fund = new Operation.Fund(id.account(), new Amount(1_000));
    state = rules.decide(state, new Command("fund", OPERATOR, fund), WallTime.of(NOW)).state();
    return id;
  }

  private TransactionReceipt perform(AccountId signer, MultiSignatureOperation operation) {
    var command = new Command("c", signer, new Operation.Perform(operation));
    var decision = rules.decide(state, command, WallTime.of(NOW));
    state = decision.state();
    return decision.effects().stream()
        .filter(QueueEffect.Answer.class::isInstance)
        .map(effect -> ((QueueEffect.Answer) effect).result().orElseThrow())
        .map(result -> ((MultiSignatureResult) result).receipt())
        .findFirst()
        .orElseThrow();
  }
}
