// Each row of the schedule service's tables in the public kit that tests SDKs, told in a line: what became of it.
const [address, secret, sdk] = process.argv.slice(2);
const {
  AccountAllowanceApproveTransaction, AccountCreateTransaction, AccountDeleteTransaction, AccountId, Client, Hbar, KeyList, PrivateKey,
  ScheduleCreateTransaction, ScheduleDeleteTransaction, ScheduleInfoQuery, ScheduleSignTransaction, Timestamp, TokenBurnTransaction,
  TokenMintTransaction, TopicCreateTransaction, TopicMessageSubmitTransaction, TransactionReceiptQuery, TransferTransaction,
} = await import(sdk);
const { default: Long } = await import("long");

const operator = PrivateKey.fromStringED25519(secret);
const client = Client.forNetwork({ [address]: "0.0.3" }).setOperator("0.0.2", operator).setMaxAttempts(3);
const tiny = (amount) => Hbar.fromTinybars(amount);
const receiptOf = (transactionId) =>
  new TransactionReceiptQuery().setTransactionId(transactionId).setValidateStatus(false).execute(client);
const receipt = async (transaction, ...keys) => {
  const frozen = transaction.isFrozen() ? transaction : transaction.freezeWith(client);
  for (const key of keys) await frozen.sign(key);
  return receiptOf((await frozen.execute(client)).transactionId);
};
const info = (id) => new ScheduleInfoQuery().setScheduleId(id).execute(client);
const code = (error) => error.status?.toString() ?? "SDK";
const row = async (name, told) => {
  let result;
  try {
    result = await told();
  } catch (error) {
    result = code(error);
  }
  console.log(`${name} ${result}`);
};

const open = async (key, balance) =>
  (await receipt(new AccountCreateTransaction().setKeyWithoutAlias(key).setInitialBalance(tiny(balance)))).accountId;
const ed = PrivateKey.generateED25519();
const ec = PrivateKey.generateECDSA();
const giverKey = PrivateKey.generateED25519();
const giver = await open(giverKey.publicKey, 10_000);
let amount = 0;
const transfer = (from = giver) => {
  amount += 1;
  return new TransferTransaction().addHbarTransfer(from, tiny(-amount)).addHbarTransfer("0.0.2", tiny(amount));
};
const create = (scheduled = transfer()) => {
  const made = new ScheduleCreateTransaction();
  return scheduled === null ? made : made.setScheduledTransaction(scheduled);
};
const made = async (transaction, ...keys) => (await receipt(transaction, ...keys)).scheduleId;
const status = async (transaction, ...keys) => (await receipt(transaction, ...keys)).status.toString();
const same = (expected, found) => (expected === found ? "SUCCESS" : `SUCCESS, but ${found}`);
/** Its status, and of one that is made whether the schedule shows what it was made with. */
const shown = async (transaction, keys, expected, of) => {
  const taken = await receipt(transaction, ...keys);
  return taken.status.toString() === "SUCCESS" ? same(expected, of(await info(taken.scheduleId))) : taken.status.toString();
};

// create: what is scheduled
await row("create/transaction/1", () => status(create()));
await row("create/transaction/2", () =>
  status(create(new TopicMessageSubmitTransaction().setTopicId("0.0.5").setMessage("x"))));
await row("create/transaction/3", () => status(create(new TokenBurnTransaction().setTokenId("0.0.5").setAmount(1))));
await row("create/transaction/4", () => status(create(new TokenMintTransaction().setTokenId("0.0.5").setAmount(1))));
await row("create/transaction/5", () =>
  status(create(new AccountAllowanceApproveTransaction().approveHbarAllowance(giver, "0.0.2", tiny(1)))));
await row("create/transaction/6", () => status(create(null)));
await row("create/transaction/7", () => status(create(new TopicCreateTransaction())));

// create: memo
const memos = [
  "test memo", "m".repeat(100), "m".repeat(101), "Test\0memo", "   ", "!@#$%^&*()_+-=[]{};':\",./<>?", "测试文件备注 🚀",
  "a".repeat(100), "🚀".repeat(25),
];
for (const [at, memo] of memos.entries()) {
  await row(`create/memo/${at + 1}`, () =>
    shown(create().setScheduleMemo(memo), [], memo, (found) => found.scheduleMemo));
}

// create: admin key
const list = () => new KeyList([ed.publicKey, ec.publicKey]);
const nested = () => new KeyList([new KeyList([ed.publicKey, new KeyList([ec.publicKey])])]);
const threshold = () => new KeyList([ed.publicKey, ec.publicKey], 1);
const admins = [
  [ed.publicKey, [ed]], [ec.publicKey, [ec]], [ed, [ed]], [ec, [ec]], [list(), [ed, ec]], [nested(), [ed, ec]],
  [threshold(), [ed]],
];
const keyText = (key) => (key === null ? "none" : (key.publicKey ?? key).toString());
for (const [at, [key, signers]] of admins.entries()) {
  await row(`create/admin key/${at + 1}`, () =>
    shown(create().setAdminKey(key), signers, keyText(key), (found) => keyText(found.adminKey)));
}
await row("create/admin key/8", () => status(create().setAdminKey(ed.publicKey)));
await row("create/admin key/9", () => status(create().setAdminKey(ed.publicKey), PrivateKey.generateED25519()));

// create: payer
const payerKey = PrivateKey.generateED25519();
const payer = await open(payerKey.publicKey, 10_000);
const payerText = (found) => found.payerAccountId.toString();
await row("create/payer/1", () => shown(create().setPayerAccountId(payer), [payerKey], payer.toString(), payerText));
await row("create/payer/2", () => status(create().setPayerAccountId(AccountId.fromString("123.456.789"))));
await row("create/payer/3", () => status(create().setPayerAccountId(AccountId.fromString(""))));
const remove = (account, key) =>
  receipt(new AccountDeleteTransaction().setAccountId(account).setTransferAccountId("0.0.2"), key);
const goneKey = PrivateKey.generateED25519();
const gone = await open(goneKey.publicKey, 10_000);
await remove(gone, goneKey);
await row("create/payer/4", () => shown(create().setPayerAccountId(gone), [goneKey], gone.toString(), payerText));
await row("create/payer/5", () => shown(create().setPayerAccountId(payer), [], payer.toString(), payerText));

// create: expiration
const now = () => Math.floor(Date.now() / 1000);
const expiring = (seconds) => create().setExpirationTime(new Timestamp(seconds, 0));
const expiry = (seconds) => shown(expiring(seconds), [], seconds.toString(), (found) => found.expirationTime.seconds.toString());
await row("create/expiration/1", () => expiry(now() + 1800));
await row("create/expiration/2", () => expiry(now() - 7200));
await row("create/expiration/3", () => expiry(now()));
await row("create/expiration/4", () => expiry(now() + 9_000_000));
await row("create/expiration/5", () => expiry(Long.fromString("9223372036854775807")));
await row("create/expiration/6", () => expiry(Long.fromString("9223372036854775806")));
await row("create/expiration/7", () => expiry(Long.fromString("-9223372036854775808")));
await row("create/expiration/8", () => expiry(Long.fromString("-9223372036854775807")));
await row("create/expiration/9", () => expiry(now() + 5_356_800));
await row("create/expiration/10", () => expiry(now() + 5_356_803));

// create: wait for expiry
const waits = (found) => String(found.waitForExpiry);
await row("create/wait/1", () => shown(expiring(now() + 5_184_000).setWaitForExpiry(true), [], "true", waits));
await row("create/wait/2", () => shown(expiring(now() + 5_184_000).setWaitForExpiry(false), [], "false", waits));
await row("create/wait/3", () => status(create().setWaitForExpiry(true)));

// delete
const drop = (id) => (id === undefined ? new ScheduleDeleteTransaction() : new ScheduleDeleteTransaction().setScheduleId(id));
const sign = (id) => (id === undefined ? new ScheduleSignTransaction() : new ScheduleSignTransaction().setScheduleId(id));
const administered = () => made(create().setAdminKey(ed.publicKey), ed);
const deleted = await administered();
await row("delete/1", () => status(drop(deleted), ed));
await row("delete/2", async () => status(drop(await made(create()))));
await row("delete/3", () => status(drop("123.456.789")));
await row("delete/4", () => status(drop("")));
await row("delete/5", () => status(drop(undefined)));
await row("delete/6", () => status(drop(deleted), ed));
await row("delete/7", async () => status(drop(await administered())));
const executed = await administered();
await receipt(sign(executed), giverKey);
await row("delete/8", () => status(drop(executed), ed));
await row("delete/9", () => status(drop("invalid-id")));

// sign: the schedule
const signers = async (id) => (await info(id)).signers?._keys?.length ?? 0;
const signed = async (transaction, id, keys, more) => {
  const before = await signers(id);
  const taken = await status(transaction, ...keys);
  const after = await signers(id);
  return after - before === more ? taken : `${taken}, but ${after - before} signers more`;
};
const two = [PrivateKey.generateED25519(), PrivateKey.generateED25519()];
const both = await open(new KeyList(two.map((key) => key.publicKey)), 10_000);
const pending = () => made(create(transfer(both)));
const first = await pending();
await row("sign/schedule/1", () => signed(sign(first), first, [two[0]], 1));
await row("sign/schedule/2", () => status(sign(undefined), two[0]));
await row("sign/schedule/3", () => status(sign("0.0.9999999"), two[0]));
await row("sign/schedule/4", () => status(sign(deleted), giverKey));
await row("sign/schedule/5", () => status(sign("invalid"), two[0]));
await row("sign/schedule/6", () => status(sign(executed), giverKey));

// sign: signatures
await row("sign/signatures/1", () => signed(sign(first), first, [PrivateKey.generateED25519()], 0));
await row("sign/signatures/2", () =>
  signed(sign(first).freezeWith(client).addSignature(two[1].publicKey, new Uint8Array(64)), first, [], 0));
await row("sign/signatures/3", () => signed(sign(first), first, [], 0));
const second = await pending();
await row("sign/signatures/4", async () => {
  const taken = await signed(sign(second), second, [two[0]], 1);
  return (await info(second)).executed === null ? taken : `${taken}, and executed`;
});
await row("sign/signatures/5", async () => {
  const third = await pending();
  const taken = await status(sign(third), ...two);
  const found = await info(third);
  return found.executed !== null && found.signers._keys.length === 3 ? taken : `${taken}, but not executed`;
});
await row("sign/signatures/6", () => signed(sign(second), second, [two[0]], 0));
await row("sign/signatures/7", () => signed(sign(second).setMaxTransactionFee(tiny(0)), second, [two[1]], 0));

// sign: what it runs
const ran = async (scheduled, keys, signing, between = () => {}) => {
  const taken = await receipt(scheduled, ...keys);
  await between();
  const signedAs = await status(sign(taken.scheduleId), ...signing);
  const found = await info(taken.scheduleId);
  if (found.executed === null) return `${signedAs}, waits`;
  return `${signedAs}, ${(await receiptOf(taken.scheduledTransactionId)).status}`;
};
const leavingKey = PrivateKey.generateED25519();
const leaving = await open(leavingKey.publicKey, 10_000);
await row("sign/execution/1", () =>
  ran(create().setPayerAccountId(leaving), [leavingKey], [giverKey], () => remove(leaving, leavingKey)));
await row("sign/execution/2", () => ran(create().setPayerAccountId(payer), [], [payerKey, giverKey]));
await row("sign/execution/2, before", () => ran(create().setPayerAccountId(payer), [], [giverKey]));
const poor = PrivateKey.generateED25519();
const empty = await open(poor.publicKey, 0);
await row("sign/execution/3", () => ran(create().setPayerAccountId(empty), [poor], [giverKey]));
await row("sign/execution/4", () => ran(create(transfer(empty)), [], [poor]));
await row("sign/execution/5", () => ran(create(), [], [giverKey]));

// info
const plain = await receipt(create());
const full = await receipt(create().setAdminKey(ed.publicKey).setScheduleMemo("memo").setPayerAccountId(payer), ed);
const known = await info(plain.scheduleId);
const more = await info(full.scheduleId);
const there = (fact) => (fact ? "SUCCESS" : "SUCCESS, but another value");
await row("info/1", () => there(known.scheduledTransaction !== null));
await row("info/2", async () => (await new ScheduleInfoQuery().execute(client), "SUCCESS"));
await row("info/3", async () => (await info("1000000.0.0"), "SUCCESS"));
await row("info/4", async () => `SUCCESS, deleted ${(await info(deleted)).deleted !== null}`);
await row("info/5", () => there(known.scheduleId.toString() === plain.scheduleId.toString()));
await row("info/6", () => there(known.creatorAccountId.toString() === "0.0.2"));
await row("info/7", () => there(more.payerAccountId.toString() === payer.toString()));
await row("info/8", () =>
  there(known.scheduledTransactionId.toString() === plain.scheduledTransactionId.toString()));
await row("info/9", async () => there((await signers(plain.scheduleId)) === 1));
await row("info/10", async () => there((await signers(first)) === 2));
await row("info/11", () => there(keyText(more.adminKey) === ed.publicKey.toString()));
await row("info/12", () => there(known.adminKey === null));
await row("info/13", () => there(known.expirationTime !== null));
await row("info/14", () => there(known.executed === null));
await row("info/15", async () => there((await info(executed)).executed !== null));
await row("info/16", () => there(known.deleted === null));
await row("info/17", () => there(more.scheduleMemo === "memo"));
await row("info/18", () => there(known.scheduleMemo === ""));
await row("info/19", () => there(known.ledgerId !== null));
await row("info/cost", async () => there((await new ScheduleInfoQuery().setScheduleId(plain.scheduleId).getCost(client)) !== null));
client.close();
