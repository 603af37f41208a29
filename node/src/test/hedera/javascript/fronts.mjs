// Two fronts of one queue: all is sent to the first that is named, and to the next if that one is away. The step
// "create" leaves in a file what the step "sign" goes on with, in a client that does not know who has died meanwhile.
import { readFileSync, writeFileSync } from "node:fs";

const [step, file, fronts, secret, sdk] = process.argv.slice(2);
const {
  AccountBalanceQuery, AccountCreateTransaction, AccountId, Client, Hbar, KeyList, PrivateKey, ScheduleCreateTransaction,
  ScheduleSignTransaction, TransactionId, TransactionReceiptQuery, TransactionRecordQuery, TransferTransaction,
} = await import(sdk);

// "address=account", the one to be asked first before the others.
const network = Object.fromEntries(fronts.split(",").map((front) => front.split("=")));
const accounts = Object.values(network).map((account) => AccountId.fromString(account));
const client = Client.forNetwork(network).setOperator("0.0.2", PrivateKey.fromStringED25519(secret));
// A front that is away is asked again after a second, and not after 8, 16, 32 and so on.
client.setNodeMinBackoff(1000).setNodeMaxBackoff(1000);
const tiny = (amount) => Hbar.fromTinybars(amount);
const say = (what, value) => console.log(`${what}: ${value}`);
const receiptOf = (id) => new TransactionReceiptQuery().setTransactionId(id).setValidateStatus(false);
const receipt = async (transaction) =>
  receiptOf((await transaction.setNodeAccountIds(accounts).execute(client)).transactionId).execute(client);
const balance = async (account) => (await new AccountBalanceQuery().setAccountId(account).execute(client)).hbars;

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

  const scheduled = await receipt(new ScheduleCreateTransaction().setScheduledTransaction(
    new TransferTransaction().addHbarTransfer(giver, tiny(-5)).addHbarTransfer(taker, tiny(5))));
  say("schedule", scheduled.status);
  writeFileSync(file, JSON.stringify({
    keys: keys.map((key) => key.toStringRaw()),
    schedule: scheduled.scheduleId.toString(),
    scheduled: scheduled.scheduledTransactionId.toString(),
    taker: taker.toString(),
  }));
} else {
  const { keys, schedule, scheduled, taker } = JSON.parse(readFileSync(file, "utf8"));
  const sign = async (secretKey) => {
    const transaction = new ScheduleSignTransaction().setScheduleId(schedule).setNodeAccountIds(accounts).freezeWith(client);
    const sent = await (await transaction.sign(PrivateKey.fromStringED25519(secretKey))).execute(client);
    return (await receiptOf(sent.transactionId).execute(client)).status;
  };
  for (const key of keys) say("sign", await sign(key));
  const ran = await new TransactionRecordQuery().setTransactionId(TransactionId.fromString(scheduled)).execute(client);
  say("it ran", ran.receipt.status);
  say("sign again", await sign(keys[0]));
  say("taker has", await balance(taker));
}
client.close();
