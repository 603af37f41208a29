// What a user of the SDK writes, against the address, with the operator's key and the SDK that are given.
const [address, secret, sdk] = process.argv.slice(2);
const {
  AccountBalanceQuery, AccountCreateTransaction, AccountInfoQuery, AccountUpdateTransaction, Client, Hbar,
  NetworkVersionInfoQuery, PrivateKey, ScheduleCreateTransaction, ScheduleDeleteTransaction, ScheduleInfoQuery,
  ScheduleSignTransaction, TopicCreateTransaction, TransactionId, TransactionReceiptQuery, TransactionRecordQuery,
  TransferTransaction,
} = await import(sdk);

const operator = PrivateKey.fromStringED25519(secret);
const client = Client.forNetwork({ [address]: "0.0.3" }).setOperator("0.0.2", operator).setMaxAttempts(3);
const tiny = (amount) => Hbar.fromTinybars(amount);
const say = (what, value) => console.log(`${what}: ${value}`);
const receipt = async (transaction) =>
  new TransactionReceiptQuery().setTransactionId((await transaction.execute(client)).transactionId)
    .setValidateStatus(false).execute(client);
const status = async (transaction) => (await receipt(transaction)).status.toString();

await client.ping("0.0.3");
say("ping", "0.0.3");
const version = await new NetworkVersionInfoQuery().execute(client);
const { major, minor, patch } = version.protobufVersion;
say("messages", `${major}.${minor}.${patch}`);
const info = await new AccountInfoQuery().setAccountId("0.0.2").execute(client);
say("operator's key", info.key.toString() === operator.publicKey.toString());

const first = PrivateKey.generateED25519();
const second = PrivateKey.generateECDSA();
const open = async (key, balance) =>
  (await receipt(new AccountCreateTransaction().setKeyWithoutAlias(key.publicKey).setInitialBalance(tiny(balance))))
    .accountId;
const giver = await open(first, 1000);
const taker = await open(second, 0);
const balance = async (account) => (await new AccountBalanceQuery().setAccountId(account).execute(client)).hbars;
say("giver has", await balance(giver));

const sent = await new TransferTransaction().addHbarTransfer("0.0.2", tiny(-7)).addHbarTransfer(taker, tiny(7))
  .execute(client);
const record = await sent.getRecord(client);
say("transfer", record.receipt.status);
say("its fee", record.transactionFee);
say("its rows", record.transfers.map((row) => row.amount).join(", "));

const rent = () => new ScheduleCreateTransaction()
  .setScheduledTransaction(
    new TransferTransaction().addHbarTransfer(giver, tiny(-5)).addHbarTransfer(taker, tiny(5)))
  .setAdminKey(operator.publicKey).setScheduleMemo("rent");
const scheduled = await receipt(rent());
say("schedule", scheduled.status);
const waiting = await new ScheduleInfoQuery().setScheduleId(scheduled.scheduleId).execute(client);
say("its memo", waiting.scheduleMemo);
say("executed", waiting.executed !== null);
const again = await receipt(rent());
say("again", again.status);
say("same schedule", again.scheduleId.toString() === scheduled.scheduleId.toString());
say("same transaction", again.scheduledTransactionId.toString() === scheduled.scheduledTransactionId.toString());

const sign = async () =>
  status(await new ScheduleSignTransaction().setScheduleId(scheduled.scheduleId).freezeWith(client).sign(first));
say("sign", await sign());
const ran = await new TransactionRecordQuery().setTransactionId(scheduled.scheduledTransactionId).execute(client);
say("it ran", ran.receipt.status);
say("because of the schedule", ran.scheduleRef.toString() === scheduled.scheduleId.toString());
say("sign again", await sign());
say("taker has", await balance(taker));

const other = await receipt(rent().setScheduleMemo("other"));
const remove = () => status(new ScheduleDeleteTransaction().setScheduleId(other.scheduleId));
say("delete", await remove());
const gone = await new ScheduleInfoQuery().setScheduleId(other.scheduleId).execute(client);
say("deleted", gone.deleted !== null);
say("delete again", await remove());

const next = PrivateKey.generateED25519();
const update = new AccountUpdateTransaction().setAccountId(giver).setKey(next.publicKey).freezeWith(client);
await update.sign(first);
say("update", await status(await update.sign(next)));

const code = async (what, call) => {
  try {
    await call();
    say(what, "taken");
  } catch (error) {
    say(what, error.status ?? (/RECEIPT_NOT_FOUND/.test(error.message) ? "not there" : error.message));
  }
};
await code("topic", () => new TopicCreateTransaction().execute(client));
await code("no such receipt", () =>
  new TransactionReceiptQuery().setTransactionId(TransactionId.generate("0.0.2")).setMaxAttempts(1).execute(client));
client.close();
