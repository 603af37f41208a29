import com.hedera.hashgraph.sdk.AccountAllowanceApproveTransaction;
import com.hedera.hashgraph.sdk.AccountCreateTransaction;
import com.hedera.hashgraph.sdk.AccountDeleteTransaction;
import com.hedera.hashgraph.sdk.AccountId;
import com.hedera.hashgraph.sdk.Client;
import com.hedera.hashgraph.sdk.Hbar;
import com.hedera.hashgraph.sdk.Key;
import com.hedera.hashgraph.sdk.KeyList;
import com.hedera.hashgraph.sdk.PrecheckStatusException;
import com.hedera.hashgraph.sdk.PrivateKey;
import com.hedera.hashgraph.sdk.ScheduleCreateTransaction;
import com.hedera.hashgraph.sdk.ScheduleDeleteTransaction;
import com.hedera.hashgraph.sdk.ScheduleId;
import com.hedera.hashgraph.sdk.ScheduleInfo;
import com.hedera.hashgraph.sdk.ScheduleInfoQuery;
import com.hedera.hashgraph.sdk.ScheduleSignTransaction;
import com.hedera.hashgraph.sdk.TokenBurnTransaction;
import com.hedera.hashgraph.sdk.TokenId;
import com.hedera.hashgraph.sdk.TokenMintTransaction;
import com.hedera.hashgraph.sdk.TopicCreateTransaction;
import com.hedera.hashgraph.sdk.TopicId;
import com.hedera.hashgraph.sdk.TopicMessageSubmitTransaction;
import com.hedera.hashgraph.sdk.Transaction;
import com.hedera.hashgraph.sdk.TransactionId;
import com.hedera.hashgraph.sdk.TransactionReceipt;
import com.hedera.hashgraph.sdk.TransactionReceiptQuery;
import com.hedera.hashgraph.sdk.TransferTransaction;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;

/** What {@code tck.mjs} tells of the rows of the kit that tests SDKs, by the SDK of Java. */
public final class Tck {
  private static final AccountId OPERATOR = new AccountId(0, 0, 2);
  private static final byte[] WRONG = new byte[64];

  private final Client client;
  private final PrivateKey ed = PrivateKey.generateED25519();
  private final PrivateKey ec = PrivateKey.generateECDSA();
  private final PrivateKey giverKey = PrivateKey.generateED25519();
  private AccountId giver;
  private long amount;

  private Tck(Client client) {
    this.client = client;
  }

  private static void row(String name, Callable<String> told) {
    String result;
    try {
      result = told.call();
    } catch (PrecheckStatusException e) {
      result = e.status.toString();
    } catch (Exception e) {
      result = "SDK";
    }
    System.out.println(name + " " + result);
  }

  private TransactionReceipt receiptOf(TransactionId id) throws Exception {
    return new TransactionReceiptQuery().setTransactionId(id).execute(client);
  }

  private TransactionReceipt receipt(Transaction<?> transaction, PrivateKey... keys) throws Exception {
    transaction.freezeWith(client);
    for (var key : keys) {
      transaction.sign(key);
    }
    return receiptOf(transaction.execute(client).transactionId);
  }

  private String status(Transaction<?> transaction, PrivateKey... keys) throws Exception {
    return receipt(transaction, keys).status.toString();
  }

  private ScheduleId made(Transaction<?> transaction, PrivateKey... keys) throws Exception {
    return receipt(transaction, keys).scheduleId;
  }

  private ScheduleInfo info(ScheduleId id) throws Exception {
    return new ScheduleInfoQuery().setScheduleId(id).execute(client);
  }

  private AccountId open(Key key, long balance) throws Exception {
    return receipt(
            new AccountCreateTransaction()
                .setKeyWithoutAlias(key)
                .setInitialBalance(Hbar.fromTinybars(balance)))
        .accountId;
  }

  private TransferTransaction transfer() {
    return transfer(giver);
  }

  /** Never the same again. */
  private TransferTransaction transfer(AccountId from) {
    amount++;
    return new TransferTransaction()
        .addHbarTransfer(from, Hbar.fromTinybars(-amount))
        .addHbarTransfer(OPERATOR, Hbar.fromTinybars(amount));
  }

  private ScheduleCreateTransaction create() {
    return create(transfer());
  }

  private static ScheduleCreateTransaction create(Transaction<?> scheduled) {
    return new ScheduleCreateTransaction().setScheduledTransaction(scheduled);
  }

  private static String there(boolean fact) {
    return fact ? "SUCCESS" : "SUCCESS, but another value";
  }

  /** Its status, and of one that is made whether the schedule shows what it was made with. */
  private String shown(
      ScheduleCreateTransaction transaction,
      List<PrivateKey> keys,
      Object expected,
      Function<ScheduleInfo, Object> of)
      throws Exception {
    var taken = receipt(transaction, keys.toArray(PrivateKey[]::new));
    if (!taken.status.toString().equals("SUCCESS")) {
      return taken.status.toString();
    }
    var found = of.apply(info(taken.scheduleId));
    return expected.equals(found) ? "SUCCESS" : "SUCCESS, but " + found;
  }

  private int signers(ScheduleId id) throws Exception {
    return info(id).signatories.size();
  }

  private String signed(Transaction<?> transaction, ScheduleId id, int more, PrivateKey... keys)
      throws Exception {
    int before = signers(id);
    var taken = status(transaction, keys);
    int added = signers(id) - before;
    return added == more ? taken : taken + ", but " + added + " signers more";
  }

  private static ScheduleSignTransaction sign(ScheduleId id) {
    return new ScheduleSignTransaction().setScheduleId(id);
  }

  private static ScheduleDeleteTransaction drop(ScheduleId id) {
    return new ScheduleDeleteTransaction().setScheduleId(id);
  }

  private void run() throws Exception {
    giver = open(giverKey, 10_000);
    creations();
    memos();
    adminKeys();
    var payerKey = PrivateKey.generateED25519();
    var payer = open(payerKey, 10_000);
    payers(payer, payerKey);
    expirations();
    var deleted = made(create().setAdminKey(ed.getPublicKey()), ed);
    var executed = made(create().setAdminKey(ed.getPublicKey()), ed);
    deletions(deleted, executed);
    var first = signatures(deleted, executed);
    executions(payer, payerKey);
    questions(payer, deleted, executed, first);
  }

  private void creations() {
    var topic = TopicId.fromString("0.0.5");
    var token = TokenId.fromString("0.0.5");
    row("create/transaction/1", () -> status(create()));
    row(
        "create/transaction/2",
        () -> status(create(new TopicMessageSubmitTransaction().setTopicId(topic).setMessage("x"))));
    row("create/transaction/3", () -> status(create(new TokenBurnTransaction().setTokenId(token).setAmount(1))));
    row("create/transaction/4", () -> status(create(new TokenMintTransaction().setTokenId(token).setAmount(1))));
    row(
        "create/transaction/5",
        () ->
            status(
                create(
                    new AccountAllowanceApproveTransaction()
                        .approveHbarAllowance(giver, OPERATOR, Hbar.fromTinybars(1)))));
    row("create/transaction/6", () -> status(new ScheduleCreateTransaction()));
    row("create/transaction/7", () -> status(create(new TopicCreateTransaction())));
  }

  private void memos() {
    var memos =
        List.of(
            "test memo", "m".repeat(100), "m".repeat(101), "Test\0memo", "   ",
            "!@#$%^&*()_+-=[]{};':\",./<>?", "测试文件备注 🚀", "a".repeat(100), "🚀".repeat(25));
    for (int at = 0; at < memos.size(); at++) {
      var memo = memos.get(at);
      row(
          "create/memo/" + (at + 1),
          () -> shown(create().setScheduleMemo(memo), List.of(), memo, found -> found.memo));
    }
  }

  private void adminKeys() {
    var list = KeyList.of(ed.getPublicKey(), ec.getPublicKey());
    var nested = KeyList.of(KeyList.of(ed.getPublicKey(), KeyList.of(ec.getPublicKey())));
    var threshold = KeyList.withThreshold(1);
    threshold.add(ed.getPublicKey());
    threshold.add(ec.getPublicKey());
    List<Key> keys = List.of(ed.getPublicKey(), ec.getPublicKey(), ed, ec, list, nested, threshold);
    List<Key> expected =
        List.of(
            ed.getPublicKey(), ec.getPublicKey(), ed.getPublicKey(), ec.getPublicKey(), list,
            nested, threshold);
    List<List<PrivateKey>> signers =
        List.of(
            List.of(ed), List.of(ec), List.of(ed), List.of(ec), List.of(ed, ec), List.of(ed, ec),
            List.of(ed));
    for (int each = 0; each < keys.size(); each++) {
      int at = each;
      row(
          "create/admin key/" + (at + 1),
          () ->
              shown(
                  create().setAdminKey(keys.get(at)), signers.get(at),
                  expected.get(at).toString(), found -> Objects.toString(found.adminKey)));
    }
    row("create/admin key/8", () -> status(create().setAdminKey(ed.getPublicKey())));
    row(
        "create/admin key/9",
        () -> status(create().setAdminKey(ed.getPublicKey()), PrivateKey.generateED25519()));
  }

  private void remove(AccountId account, PrivateKey key) throws Exception {
    receipt(
        new AccountDeleteTransaction().setAccountId(account).setTransferAccountId(OPERATOR), key);
  }

  private void payers(AccountId payer, PrivateKey payerKey) throws Exception {
    row(
        "create/payer/1",
        () ->
            shown(
                create().setPayerAccountId(payer), List.of(payerKey), payer,
                found -> found.payerAccountId));
    row(
        "create/payer/2",
        () -> status(create().setPayerAccountId(AccountId.fromString("123.456.789"))));
    row("create/payer/3", () -> status(create().setPayerAccountId(AccountId.fromString(""))));
    var goneKey = PrivateKey.generateED25519();
    var gone = open(goneKey, 10_000);
    remove(gone, goneKey);
    row(
        "create/payer/4",
        () ->
            shown(
                create().setPayerAccountId(gone), List.of(goneKey), gone,
                found -> found.payerAccountId));
    row(
        "create/payer/5",
        () ->
            shown(
                create().setPayerAccountId(payer), List.of(), payer,
                found -> found.payerAccountId));
  }

  private ScheduleCreateTransaction expiring(long second) {
    return create().setExpirationTime(Instant.ofEpochSecond(second));
  }

  private static long now() {
    return Instant.now().getEpochSecond();
  }

  private void expiry(int number, Callable<Long> second) {
    row(
        "create/expiration/" + number,
        () -> {
          long at = second.call();
          return shown(expiring(at), List.of(), at, found -> found.expirationTime.getEpochSecond());
        });
  }

  private void expirations() {
    expiry(1, () -> now() + 1_800);
    expiry(2, () -> now() - 7_200);
    expiry(3, Tck::now);
    expiry(4, () -> now() + 9_000_000);
    // Beyond what the SDK's own time can say.
    expiry(5, () -> Long.MAX_VALUE);
    expiry(6, () -> Long.MAX_VALUE - 1);
    expiry(7, () -> Long.MIN_VALUE);
    expiry(8, () -> Long.MIN_VALUE + 1);
    expiry(9, () -> now() + 5_356_800);
    expiry(10, () -> now() + 5_356_803);
    for (int number = 1; number <= 2; number++) {
      boolean waits = number == 1;
      row(
          "create/wait/" + number,
          () ->
              shown(
                  expiring(now() + 5_184_000).setWaitForExpiry(waits), List.of(), waits,
                  found -> found.waitForExpiry));
    }
    row("create/wait/3", () -> status(create().setWaitForExpiry(true)));
  }

  private void deletions(ScheduleId deleted, ScheduleId executed) throws Exception {
    row("delete/1", () -> status(drop(deleted), ed));
    row("delete/2", () -> status(drop(made(create()))));
    row("delete/3", () -> status(drop(ScheduleId.fromString("123.456.789"))));
    row("delete/4", () -> status(drop(ScheduleId.fromString(""))));
    row("delete/5", () -> status(new ScheduleDeleteTransaction()));
    row("delete/6", () -> status(drop(deleted), ed));
    row("delete/7", () -> status(drop(made(create().setAdminKey(ed.getPublicKey()), ed))));
    receipt(sign(executed), giverKey);
    row("delete/8", () -> status(drop(executed), ed));
    row("delete/9", () -> status(drop(ScheduleId.fromString("invalid-id"))));
  }

  private ScheduleId signatures(ScheduleId deleted, ScheduleId executed) throws Exception {
    var one = PrivateKey.generateED25519();
    var other = PrivateKey.generateED25519();
    var both = open(KeyList.of(one.getPublicKey(), other.getPublicKey()), 10_000);
    var first = made(create(transfer(both)));
    row("sign/schedule/1", () -> signed(sign(first), first, 1, one));
    row("sign/schedule/2", () -> status(new ScheduleSignTransaction(), one));
    row("sign/schedule/3", () -> status(sign(ScheduleId.fromString("0.0.9999999")), one));
    row("sign/schedule/4", () -> status(sign(deleted), giverKey));
    row("sign/schedule/5", () -> status(sign(ScheduleId.fromString("invalid")), one));
    row("sign/schedule/6", () -> status(sign(executed), giverKey));
    row("sign/signatures/1", () -> signed(sign(first), first, 0, PrivateKey.generateED25519()));
    row(
        "sign/signatures/2",
        () -> signed(sign(first).freezeWith(client).addSignature(other.getPublicKey(), WRONG), first, 0));
    row("sign/signatures/3", () -> signed(sign(first), first, 0));
    var second = made(create(transfer(both)));
    row(
        "sign/signatures/4",
        () -> {
          var taken = signed(sign(second), second, 1, one);
          return info(second).executedAt == null ? taken : taken + ", and executed";
        });
    row(
        "sign/signatures/5",
        () -> {
          var third = made(create(transfer(both)));
          var taken = status(sign(third), one, other);
          var found = info(third);
          return found.executedAt != null && found.signatories.size() == 3
              ? taken
              : taken + ", but not executed";
        });
    row("sign/signatures/6", () -> signed(sign(second), second, 0, one));
    row(
        "sign/signatures/7",
        () -> signed(sign(second).setMaxTransactionFee(Hbar.fromTinybars(0)), second, 0, other));
    return first;
  }

  /** The status of its signature, and of what it has run. */
  private String ran(
      ScheduleCreateTransaction scheduled, List<PrivateKey> creating, PrivateKey... signing)
      throws Exception {
    return ran(receipt(scheduled, creating.toArray(PrivateKey[]::new)), signing);
  }

  private String ran(TransactionReceipt taken, PrivateKey... signing) throws Exception {
    var signedAs = status(sign(taken.scheduleId), signing);
    if (info(taken.scheduleId).executedAt == null) {
      return signedAs + ", waits";
    }
    return signedAs + ", " + receiptOf(taken.scheduledTransactionId).status;
  }

  private void executions(AccountId payer, PrivateKey payerKey) throws Exception {
    var leavingKey = PrivateKey.generateED25519();
    var leaving = open(leavingKey, 10_000);
    row(
        "sign/execution/1",
        () -> {
          var taken = receipt(create().setPayerAccountId(leaving), leavingKey);
          remove(leaving, leavingKey);
          return ran(taken, giverKey);
        });
    row(
        "sign/execution/2",
        () -> ran(create().setPayerAccountId(payer), List.of(), payerKey, giverKey));
    row("sign/execution/2, before", () -> ran(create().setPayerAccountId(payer), List.of(), giverKey));
    var poor = PrivateKey.generateED25519();
    var empty = open(poor, 0);
    row(
        "sign/execution/3",
        () -> ran(create().setPayerAccountId(empty), List.of(poor), giverKey));
    row("sign/execution/4", () -> ran(create(transfer(empty)), List.of(), poor));
    row("sign/execution/5", () -> ran(create(), List.of(), giverKey));
  }

  private void questions(
      AccountId payer, ScheduleId deleted, ScheduleId executed, ScheduleId first)
      throws Exception {
    var plain = receipt(create());
    var full =
        receipt(
            create().setAdminKey(ed.getPublicKey()).setScheduleMemo("memo").setPayerAccountId(payer),
            ed);
    var known = info(plain.scheduleId);
    var more = info(full.scheduleId);
    row("info/1", () -> there(known.getScheduledTransaction() != null));
    row("info/2", () -> there(new ScheduleInfoQuery().execute(client) != null));
    row("info/3", () -> there(info(ScheduleId.fromString("1000000.0.0")) != null));
    row("info/4", () -> "SUCCESS, deleted " + (info(deleted).deletedAt != null));
    row("info/5", () -> there(known.scheduleId.equals(plain.scheduleId)));
    row("info/6", () -> there(known.creatorAccountId.equals(OPERATOR)));
    row("info/7", () -> there(more.payerAccountId.equals(payer)));
    row("info/8", () -> there(known.scheduledTransactionId.equals(plain.scheduledTransactionId)));
    row("info/9", () -> there(signers(plain.scheduleId) == 1));
    row("info/10", () -> there(signers(first) == 2));
    row("info/11", () -> there(more.adminKey.equals(ed.getPublicKey())));
    row("info/12", () -> there(known.adminKey == null));
    row("info/13", () -> there(known.expirationTime != null));
    row("info/14", () -> there(known.executedAt == null));
    row("info/15", () -> there(info(executed).executedAt != null));
    row("info/16", () -> there(known.deletedAt == null));
    row("info/17", () -> there(more.memo.equals("memo")));
    row("info/18", () -> there(known.memo.isEmpty()));
    row("info/19", () -> there(known.ledgerId != null));
    row(
        "info/cost",
        () -> there(new ScheduleInfoQuery().setScheduleId(plain.scheduleId).getCost(client) != null));
  }

  /** The address, and the operator's key. */
  public static void main(String[] arguments) throws Exception {
    try (var client = Client.forNetwork(Map.of(arguments[0], new AccountId(0, 0, 3)))) {
      client.setOperator(OPERATOR, PrivateKey.fromStringED25519(arguments[1])).setMaxAttempts(3);
      new Tck(client).run();
    }
  }
}
