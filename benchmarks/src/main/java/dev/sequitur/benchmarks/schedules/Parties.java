package dev.sequitur.benchmarks.schedules;

import static dev.sequitur.benchmarks.schedules.Notifying.OPERATOR;
import static dev.sequitur.benchmarks.schedules.Notifying.QUEUE;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureResult;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.ScheduledTransaction;
import dev.sequitur.schedule.signing.TransactionReceipt;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.body.RefusedTransactionException;
import dev.sequitur.scheduler.body.SubmittedTransaction;
import dev.sequitur.scheduler.body.SubmittedTransaction.Header;
import dev.sequitur.scheduler.body.TransactionReader;
import dev.sequitur.scheduler.body.TransactionWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two accounts that pay a third, and both of which must sign: one creates the schedule, the other
 * signs it, and it runs. All goes the way of JSON-RPC: Hedera's bytes are read, the queue is asked
 * for the keys, and the signatures are verified beside it. Used by one thread.
 */
final class Parties {
  /** Signatures made, and verified, for one schedule: two inner and two outer ones. */
  static final int SIGNATURES = 4;

  private static final long START_SECONDS = 10;
  private static final AtomicInteger NONCES = new AtomicInteger();

  private final SchedulerNode node;
  private final TransactionReader reader;
  private final TransactionWriter writer;
  private final Party first;
  private final Party second;
  private final EntityId third;

  private record Party(EntityId account, HederaSigner signer) {}

  Parties(SchedulerNode node, int number) {
    this.node = node;
    var account = node.nodeAccount(QUEUE);
    this.reader = TransactionReader.of(Profile.MVP, account);
    this.writer = new TransactionWriter(Profile.MVP, account);
    this.first = open(HederaSigner.of(3 * number + 1));
    this.second = open(HederaSigner.of(3 * number + 2));
    this.third = open(HederaSigner.of(3 * number + 3)).account();
  }

  private Party open(HederaSigner signer) {
    var account = new MultiSignatureOperation.OpenAccount(new Account(signer.key(), false, ""));
    var name = "open" + signer.secret().toHex();
    var open = new Command(name, OPERATOR, new Operation.Perform(account));
    var id = receipt(node.submit(QUEUE, open).toCompletableFuture().join()).account().orElseThrow();
    var fund = new Operation.Fund(id.account(), new Amount(1L << 40));
    node.submit(QUEUE, new Command("fund" + id, OPERATOR, fund)).toCompletableFuture().join();
    return new Party(id, signer);
  }

  /** Creates, signs and so runs so many; throws if one of them did not. */
  void run(int schedules) {
    var bodies = new ArrayList<ScheduledTransaction>();
    var creations = new ArrayList<CompletableFuture<TransactionReceipt>>();
    for (int i = 0; i < schedules; i++) {
      var body = body();
      bodies.add(body);
      var creation = Creation.of(body, Optional.empty(), Optional.empty());
      var signature = List.of(first.signer().sign(body.bytes()));
      creations.add(
          submit(first, new SubmittedTransaction.Operation.ScheduleCreate(creation, signature)));
    }
    var signings = new ArrayList<CompletableFuture<TransactionReceipt>>();
    for (int i = 0; i < schedules; i++) {
      var schedule = creations.get(i).join().schedule().orElseThrow();
      var signature = List.of(second.signer().sign(bodies.get(i).bytes()));
      signings.add(
          submit(second, new SubmittedTransaction.Operation.ScheduleSign(schedule, signature)));
    }
    for (var signed : signings) {
      if (signed.join().scheduledTransaction().isEmpty()) {
        throw new IllegalStateException("It did not run: " + signed.join());
      }
    }
  }

  private ScheduledTransaction body() {
    var transfers =
        List.of(
            new AccountAmount(first.account(), -1),
            new AccountAmount(second.account(), -1),
            new AccountAmount(third, 2));
    return writer.scheduled(
        NONCES.incrementAndGet(), 100, "", new Action.CryptoTransfer(transfers));
  }

  private CompletableFuture<TransactionReceipt> submit(
      Party payer, SubmittedTransaction.Operation operation) {
    int number = NONCES.incrementAndGet();
    var start = Instant.now().minusSeconds(START_SECONDS).plusNanos(number);
    var id = AccountTransactionId.submitted(ConsensusTime.of(start), payer.account());
    Bytes body = writer.body(new Header(id, 120, 1_000, ""), operation);
    var bytes = TransactionWriter.signed(body, List.of(payer.signer().sign(body)));
    try {
      return node.submit(QUEUE, "c" + number, reader.read(bytes))
          .thenApply(Parties::receipt)
          .toCompletableFuture();
    } catch (RefusedTransactionException e) {
      throw new IllegalStateException(e);
    }
  }

  private static TransactionReceipt receipt(Answer answer) {
    var receipt = ((MultiSignatureResult) answer.result().orElseThrow()).receipt();
    if (receipt.status() != ResponseCode.SUCCESS) {
      throw new IllegalStateException("Refused: " + receipt);
    }
    return receipt;
  }
}
