// Two fronts of one queue: all is sent to the first that is named, and to the next if that one is away. The step
// "create" leaves in a file what the step "sign" goes on with, in a client that does not know who has died meanwhile.
import { readFileSync, writeFileSync } from "node:fs";

const [step, file, fronts, secret, sdk] = process.argv.slice(2);
const {
  AccountBalanceQuery, AccountCreateTransaction, AccountId, Client, Hbar, KeyList, PrivateKey, ScheduleCreateTransaction,
  ScheduleSignTransaction, Transaction, TransactionId, TransactionReceiptQuery, TransactionRecordQuery, TransferTransaction,
} = await import(sdk);

// "address=account", the one to be asked first before the others.
const network = Object.fromEntries(fronts.split(",").map((front) => front.split("=")));
const accounts = Object.values(network).map((account) => AccountId.fromString(account));
const client = Client.forNetwork(network).setOperator("0.0.2", PrivateKey.fromStringED25519(secret));
// A front that is away is asked again after a second, and not after 8, 16, 32 and so on.
client.setNodeMinBackoff(1000).setNodeMaxBackoff(1000);
// It is waited for whenever it is asked: for five seconds, and not ten, and twice as often, which is as long in all. A
// front that is there answers within three.
client.setGrpcDeadline(5000).setMaxAttempts(20);
const tiny = (amount) => Hbar.fromTinybars(amount);
const say = (what, value) => console.log(`${what}: ${value}`);
const receiptOf = (id) => new TransactionReceiptQuery().setTransactionId(id).setValidateStatus(false);
const receipt = async (transaction) =>
  receiptOf((await transaction.setNodeAccountIds(accounts).execute(client)).transactionId).execute(client);
const balance = async (account) => (await new AccountBalanceQuery().setAccountId(account).execute(client)).hbars;
const signed = async (schedule, secretKey) => {
  // As long as the network allows: the other JVM of the queue has to be found meanwhile.
  const transaction = new ScheduleSignTransaction().setScheduleId(schedule).setTransactionValidDuration(180)
    .setNodeAccountIds(accounts).freezeWith(client);
  return transaction.sign(PrivateKey.fromStringED25519(secretKey));
};
const sent = async (transaction) => (await receiptOf((await transaction.execute(client)).transactionId).execute(client)).status;

if (step === "create") {
  const keys = [PrivateKey.generateED25519(), PrivateKey.generateED25519()];
  const both = new KeyList(keys.map((key) => key.publicKey));
  const open = async (key, amount) =>
    (await receipt(new AccountCreateTransaction().setKeyWithoutAlias(key).setInitialBalance(tiny(amount)))).accountId;
  const giver = await open(both, 1000);
  const taker = await open(keys[0].publicKey, 0);

  // As if the answer of each had got lost: the same, signed for each of them.
  const id = TransactionId.generate("0.0.2");
  for (const account of accounts) {
    await new TransferTransaction().addHbarTransfer("0.0.2", tiny(-3)).addHbarTransfer(taker, tiny(3))
      .setTransactionId(id).setNodeAccountIds([account]).execute(client);
    const seen = await receiptOf(id).setNodeAccountIds([account]).execute(client);
    say("sent", seen.status);
  }
  say("taker has", await balance(taker));

  const schedule = async (amount) => {
    const scheduled = await receipt(new ScheduleCreateTransaction().setScheduledTransaction(
      new TransferTransaction().addHbarTransfer(giver, tiny(-amount)).addHbarTransfer(taker, tiny(amount))));
    say("schedule", scheduled.status);
    return { schedule: scheduled.scheduleId.toString(), scheduled: scheduled.scheduledTransactionId.toString() };
  };
  const secrets = keys.map((key) => key.toStringRaw());
  const unsigned = await schedule(5);
  const half = await schedule(11);
  const first = await signed(half.schedule, secrets[0]);
  const firstBytes = Buffer.from(await first.toBytes()).toString("hex");
  say("sign", await sent(first));
  writeFileSync(file, JSON.stringify({ keys: secrets, unsigned, half, firstBytes, taker: taker.toString() }));
} else {
  const { keys, unsigned, half, firstBytes, taker } = JSON.parse(readFileSync(file, "utf8"));
  const outcome = async ({ scheduled }) => {
    const ran = await new TransactionRecordQuery().setTransactionId(TransactionId.fromString(scheduled)).execute(client);
    return ran.receipt.status;
  };
  // As if its answer had got lost with the front: the very same, which the client takes to the next front by itself.
  say("sign the same", await sent(Transaction.fromBytes(Buffer.from(firstBytes, "hex"))));
  say("sign", await sent(await signed(half.schedule, keys[1])));
  say("it ran", await outcome(half));
  for (const key of keys) say("sign", await sent(await signed(unsigned.schedule, key)));
  say("it ran", await outcome(unsigned));
  say("sign again", await sent(await signed(half.schedule, keys[0])));
  say("taker has", await balance(taker));
}
client.close();
