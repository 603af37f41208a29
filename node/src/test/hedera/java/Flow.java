import com.hedera.hashgraph.sdk.AccountBalanceQuery;
import com.hedera.hashgraph.sdk.AccountCreateTransaction;
import com.hedera.hashgraph.sdk.AccountId;
import com.hedera.hashgraph.sdk.AccountInfoQuery;
import com.hedera.hashgraph.sdk.AccountUpdateTransaction;
import com.hedera.hashgraph.sdk.Client;
import com.hedera.hashgraph.sdk.Hbar;
import com.hedera.hashgraph.sdk.MaxAttemptsExceededException;
import com.hedera.hashgraph.sdk.NetworkVersionInfoQuery;
import com.hedera.hashgraph.sdk.PrecheckStatusException;
import com.hedera.hashgraph.sdk.PrivateKey;
import com.hedera.hashgraph.sdk.ScheduleCreateTransaction;
import com.hedera.hashgraph.sdk.ScheduleDeleteTransaction;
import com.hedera.hashgraph.sdk.ScheduleInfoQuery;
import com.hedera.hashgraph.sdk.ScheduleSignTransaction;
import com.hedera.hashgraph.sdk.TopicCreateTransaction;
import com.hedera.hashgraph.sdk.Transaction;
import com.hedera.hashgraph.sdk.TransactionId;
import com.hedera.hashgraph.sdk.TransactionReceipt;
import com.hedera.hashgraph.sdk.TransactionReceiptQuery;
import com.hedera.hashgraph.sdk.TransactionRecordQuery;
import com.hedera.hashgraph.sdk.TransferTransaction;
import java.util.Map;
import java.util.stream.Collectors;

/** What a user of the SDK writes, against the address and with the operator's key that are given. */
public final class Flow {
  private static final AccountId OPERATOR = new AccountId(0, 0, 2);
  private static final AccountId NODE = new AccountId(0, 0, 3);

  private final Client client;

  private Flow(Client client) {
    this.client = client;
  }

  private static void say(String what, Object value) {
    System.out.println(what + ": " + value);
  }

  private TransactionReceipt receipt(Transaction<?> transaction) throws Exception {
    return new TransactionReceiptQuery()
        .setTransactionId(transaction.execute(client).transactionId)
        .execute(client, client.getRequestTimeout());
  }

  private Object status(Transaction<?> transaction) throws Exception {
    return receipt(transaction).status;
  }

  private AccountId open(PrivateKey key, long balance) throws Exception {
    return receipt(
            new AccountCreateTransaction()
                .setKeyWithoutAlias(key)
                .setInitialBalance(Hbar.fromTinybars(balance)))
        .accountId;
  }

  private Hbar balance(AccountId account) throws Exception {
    return new AccountBalanceQuery().setAccountId(account).execute(client).hbars;
  }

  private static TransferTransaction transfer(AccountId from, AccountId to, long amount) {
    return new TransferTransaction()
        .addHbarTransfer(from, Hbar.fromTinybars(-amount))
        .addHbarTransfer(to, Hbar.fromTinybars(amount));
  }

  private static ScheduleCreateTransaction rent(
      AccountId giver, AccountId taker, PrivateKey admin, String memo) {
    return transfer(giver, taker, 5).schedule().setAdminKey(admin).setScheduleMemo(memo);
  }

  private void run(PrivateKey operator) throws Exception {
    client.ping(NODE);
    say("ping", NODE);
    var version = new NetworkVersionInfoQuery().execute(client);
    say("messages", version.protobufVersion);
    var info = new AccountInfoQuery().setAccountId(OPERATOR).execute(client);
    say("operator's key", info.key.equals(operator.getPublicKey()));

    var first = PrivateKey.generateED25519();
    var second = PrivateKey.generateECDSA();
    var giver = open(first, 1000);
    var taker = open(second, 0);
    say("giver has", balance(giver));

    var record = transfer(OPERATOR, taker, 7).execute(client).getRecord(client);
    say("transfer", record.receipt.status);
    say("its fee", record.transactionFee);
    say(
        "its rows",
        record.transfers.stream()
            .map(row -> row.amount.toString())
            .collect(Collectors.joining(", ")));

    var scheduled = receipt(rent(giver, taker, operator, "rent"));
    say("schedule", scheduled.status);
    var waiting = new ScheduleInfoQuery().setScheduleId(scheduled.scheduleId).execute(client);
    say("its memo", waiting.memo);
    say("executed", waiting.executedAt != null);
    var again = receipt(rent(giver, taker, operator, "rent"));
    say("again", again.status);
    say("same schedule", again.scheduleId.equals(scheduled.scheduleId));
    say("same transaction", again.scheduledTransactionId.equals(scheduled.scheduledTransactionId));

    say("sign", status(sign(scheduled, first)));
    var ran =
        new TransactionRecordQuery()
            .setTransactionId(scheduled.scheduledTransactionId)
            .execute(client);
    say("it ran", ran.receipt.status);
    say("because of the schedule", ran.scheduleRef.equals(scheduled.scheduleId));
    say("sign again", status(sign(scheduled, first)));
    say("taker has", balance(taker));

    var other = receipt(rent(giver, taker, operator, "other")).scheduleId;
    say("delete", status(new ScheduleDeleteTransaction().setScheduleId(other)));
    var gone = new ScheduleInfoQuery().setScheduleId(other).execute(client);
    say("deleted", gone.deletedAt != null);
    say("delete again", status(new ScheduleDeleteTransaction().setScheduleId(other)));

    var next = PrivateKey.generateED25519();
    say(
        "update",
        status(
            new AccountUpdateTransaction()
                .setAccountId(giver)
                .setKey(next)
                .freezeWith(client)
                .sign(first)
                .sign(next)));

    try {
      new TopicCreateTransaction().execute(client);
      say("topic", "taken");
    } catch (PrecheckStatusException e) {
      say("topic", e.status);
    }
    try {
      new TransactionReceiptQuery()
          .setTransactionId(TransactionId.generate(OPERATOR))
          .setMaxAttempts(1)
          .execute(client);
      say("no such receipt", "taken");
    } catch (MaxAttemptsExceededException e) {
      say("no such receipt", "not there");
    }
  }

  private Transaction<?> sign(TransactionReceipt scheduled, PrivateKey key) {
    return new ScheduleSignTransaction()
        .setScheduleId(scheduled.scheduleId)
        .freezeWith(client)
        .sign(key);
  }

  public static void main(String[] arguments) throws Exception {
    var operator = PrivateKey.fromStringED25519(arguments[1]);
    try (var client = Client.forNetwork(Map.of(arguments[0], NODE))) {
      client.setOperator(OPERATOR, operator).setMaxAttempts(3);
      new Flow(client).run(operator);
    }
  }
}
