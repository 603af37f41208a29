package dev.sequitur.benchmarks.hapi;

import dev.sequitur.benchmarks.schedules.HederaSigner;
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
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.body.SubmittedTransaction;
import dev.sequitur.scheduler.body.SubmittedTransaction.Header;
import dev.sequitur.scheduler.body.TransactionWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.stream.Stream;

/**
 * Accounts that pay another one together, and the client that acts for them: the first creates a
 * schedule, the second signs it. Used by one thread at a time.
 */
final class HapiParties implements AutoCloseable {
  private static final List<HapiConnection.Field> CREATE =
      HapiConnection.head("/proto.ScheduleService/createSchedule");
  private static final List<HapiConnection.Field> SIGN =
      HapiConnection.head("/proto.ScheduleService/signSchedule");
  private static final List<HapiConnection.Field> RECEIPT =
      HapiConnection.head("/proto.CryptoService/getTransactionReceipts");
  private static final TransactionWriter WRITER =
      new TransactionWriter(Profile.CURRENT, new NodeAccount(0, 3));
  private static final long SUCCESS = ResponseCode.SUCCESS.number(Profile.CURRENT).orElseThrow();
  private static final long START_SECONDS = 5;
  private static final long VALID_SECONDS = 180;
  private static final int SIGNERS = 4;

  private final SchedulerNode node;
  private final HapiConnection connection;
  private final Party first;
  private final Party second;
  private final Party third;
  private final EntityId paid;
  private final Queue<Signed> signed = new ArrayDeque<>();
  private long number;
  private long ran;

  private record Party(EntityId account, HederaSigner signer) {}

  /** What creates a schedule. */
  private record Signed(AccountTransactionId id, byte[] transaction) {}

  HapiParties(SchedulerNode node, HapiConnection connection, int client) {
    this.node = node;
    this.connection = connection;
    this.first = open(HederaSigner.of(SIGNERS * client + 1));
    this.second = open(HederaSigner.of(SIGNERS * client + 2));
    this.third = open(HederaSigner.of(SIGNERS * client + 3));
    this.paid = open(HederaSigner.of(SIGNERS * client + SIGNERS)).account();
  }

  private Party open(HederaSigner signer) {
    var account = new MultiSignatureOperation.OpenAccount(new Account(signer.key(), false, ""));
    var name = "open" + signer.secret().toHex();
    var id = opened(submit(name, new Operation.Perform(account)));
    submit("fund" + id, new Operation.Fund(id.account(), new Amount(1L << 40)));
    return new Party(id, signer);
  }

  private Answer submit(String name, Operation operation) {
    var command = new Command(name, HapiRate.ADMINISTRATOR, operation);
    return node.submit(QueueName.DEFAULT, command).toCompletableFuture().join();
  }

  private static EntityId opened(Answer answer) {
    return ((MultiSignatureResult) answer.result().orElseThrow()).receipt().account().orElseThrow();
  }

  /** Signs what is to create so many schedules of two signers. */
  void sign(int schedules) {
    for (int i = 0; i < schedules; i++) {
      signed.add(creation(List.of(first, second)));
    }
  }

  private Signed creation(List<Party> givers) {
    var rows = new ArrayList<AccountAmount>();
    givers.forEach(giver -> rows.add(new AccountAmount(giver.account(), -1)));
    rows.add(new AccountAmount(paid, givers.size()));
    var body =
        WRITER.scheduled(0, 1_000, first.account() + "/" + number, new Action.CryptoTransfer(rows));
    var creation = Creation.of(body, Optional.empty(), Optional.empty());
    var id = id(first);
    return new Signed(
        id,
        transaction(
            id,
            first.signer(),
            new SubmittedTransaction.Operation.ScheduleCreate(creation, List.of())));
  }

  private AccountTransactionId id(Party payer) {
    var start = Instant.now().minusSeconds(START_SECONDS);
    return AccountTransactionId.submitted(
        new ConsensusTime(ConsensusTime.of(start).nanos() + number++), payer.account());
  }

  private static byte[] transaction(
      AccountTransactionId id, HederaSigner payer, SubmittedTransaction.Operation operation) {
    Bytes body = WRITER.body(new Header(id, VALID_SECONDS, 1_000, ""), operation);
    return TransactionWriter.signed(body, List.of(payer.sign(body))).toByteArray();
  }

  /** Creates one that is signed already, and signs it, so that it runs. */
  void run() {
    createAndSign(signed.remove());
    ran++;
  }

  /** Creates one that a third has to sign, too. */
  void leaveWaiting() {
    createAndSign(creation(List.of(first, second, third)));
  }

  private void createAndSign(Signed creation) {
    taken(connection.call(CREATE, creation.transaction()));
    var receipt = connection.call(RECEIPT, Messages.receiptOf(creation.id()));
    if (Messages.status(receipt) != SUCCESS) {
      throw new IllegalStateException("Refused with " + Messages.status(receipt));
    }
    var schedule = new EntityId(Messages.schedule(receipt));
    var sign = new SubmittedTransaction.Operation.ScheduleSign(schedule, List.of());
    taken(connection.call(SIGN, transaction(id(second), second.signer(), sign)));
  }

  private static void taken(byte[] answer) {
    if (Messages.precheck(answer) != 0) {
      throw new IllegalStateException("Not taken: " + Messages.precheck(answer));
    }
  }

  /** Throws if one of those that were to run did not. */
  void assertPaid() {
    long units =
        node.available(QueueName.DEFAULT, paid.account()).toCompletableFuture().join().units();
    if (units != (1L << 40) + 2 * ran) {
      throw new IllegalStateException(
          paid + " has " + units + " after " + ran + " schedules: some did not run, or twice.");
    }
  }

  /** The keys of who signs what waits, as the mirror's view shows them. */
  List<String> signers() {
    return Stream.of(first, second)
        .map(each -> Base64.getEncoder().encodeToString(each.signer().key().value().toByteArray()))
        .toList();
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
