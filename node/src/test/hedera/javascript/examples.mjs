// What the SDK's own examples of schedules do, step by step in our words: docs/hedera.md has the list. All give the
// operator's money away in hbar, and three delete in the end what they have opened.
const [address, secret, sdk, mirror] = process.argv.slice(2);
const {
  AccountBalanceQuery, AccountCreateTransaction, AccountDeleteTransaction, AccountId, AccountInfoQuery, AccountUpdateTransaction, Client, Hbar, KeyList,
  LocalProvider, MirrorNodeAccountBalanceQuery, PrivateKey, ScheduleInfoQuery, ScheduleSignTransaction, Timestamp, TransactionReceiptQuery, TransactionRecordQuery,
  TransferTransaction, Wallet,
} = await import(sdk);

const network = { [address]: "0.0.3" };
const operatorId = AccountId.fromString("0.0.2");
const operatorKey = PrivateKey.fromStringED25519(secret);
const client = Client.forNetwork(network).setOperator(operatorId, operatorKey);
const say = (what, value) => console.log(`${what}: ${value}`);
const receipt = async (transaction, by = client) => (await transaction.execute(by)).getReceipt(by);
const open = async (key, amount, change = (transaction) => transaction) =>
  (await receipt(await change(new AccountCreateTransaction().setKeyWithoutAlias(key).setInitialBalance(new Hbar(amount))))).accountId;
const balance = async (account) => (await new AccountBalanceQuery().setAccountId(account).execute(client)).hbars;
const info = (id) => new ScheduleInfoQuery().setScheduleId(id).execute(client);
const seen = async (id) => {
  const found = await info(id);
  return `${found.signers._keys.length} signers, ${found.executed === null ? "waits" : "executed"}`;
};
const signed = async (transaction, ...keys) => {
  const frozen = transaction.freezeWith(client);
  for (const key of keys) await frozen.sign(key);
  return frozen;
};
const sign = async (id, ...keys) => (await receipt(await signed(new ScheduleSignTransaction().setScheduleId(id), ...keys))).status;
const remove = async (account, ...keys) =>
  (await receipt(await signed(new AccountDeleteTransaction().setAccountId(account).setTransferAccountId(operatorId), ...keys))).status;
const pay = (from, to, amount) => new TransferTransaction().addHbarTransfer(from, new Hbar(-amount)).addHbarTransfer(to, new Hbar(amount));
const later = (seconds) => Timestamp.generate(false).plusNanos(seconds * 1_000_000_000);

// schedule/example: by a wallet, from an account that stakes, to run in a day.
const wallet = new Wallet(operatorId, operatorKey, new LocalProvider({ client }));
const byWallet = async (transaction, ...keys) => {
  const frozen = await transaction.freezeWithSigner(wallet);
  for (const key of keys) await frozen.sign(key);
  return (await frozen.signWithSigner(wallet)).executeWithSigner(wallet);
};
{
  const keys = [PrivateKey.generate(), PrivateKey.generate()];
  const opened = await byWallet(new AccountCreateTransaction().setKeyWithoutAlias(KeyList.of(...keys.map((key) => key.publicKey)))
    .setInitialBalance(20).setStakedAccountId("0.0.3"));
  const account = (await opened.getReceiptWithSigner(wallet)).accountId;
  const created = await byWallet(pay(account, wallet.getAccountId(), 1).schedule().setExpirationTime(later(86_400)).setWaitForExpiry(true));
  const { scheduleId } = await created.getReceiptWithSigner(wallet);
  say("example", (await created.getRecordWithSigner(wallet)).receipt.status);
  for (const key of keys) {
    const response = await byWallet(new ScheduleSignTransaction().setScheduleId(scheduleId), key);
    await response.getReceiptWithSigner(wallet);
    say("example", await seen(scheduleId));
  }
}

// schedule/multi-sig-threshold: three of four, the first with the creation.
{
  const keys = [1, 2, 3, 4].map(() => PrivateKey.generate());
  const opened = await byWallet(new AccountCreateTransaction().setKeyWithoutAlias(new KeyList(keys.map((key) => key.publicKey), 3))
    .setInitialBalance(Hbar.fromTinybars(1)).setAccountMemo("3-of-4 multi-sig account"));
  const account = (await opened.getReceiptWithSigner(wallet)).accountId;
  const transfer = new TransferTransaction().addHbarTransfer(account, Hbar.fromTinybars(-1))
    .addHbarTransfer(wallet.getAccountId(), Hbar.fromTinybars(1));
  const created = await (await byWallet(transfer.schedule(), keys[0])).getReceiptWithSigner(wallet);
  for (const key of keys.slice(1, 3)) {
    const response = await byWallet(new ScheduleSignTransaction().setScheduleId(created.scheduleId), key);
    say("threshold", (await response.getReceiptWithSigner(wallet)).status);
  }
  const ran = await new TransactionRecordQuery().setTransactionId(created.scheduledTransactionId).executeWithSigner(wallet);
  say("threshold", `${ran.receipt.status}, ${await balance(account)}`);
}

// schedule/identical-transaction: three clients schedule the same, of an account that pays for it itself.
{
  const keys = [1, 2, 3].map(() => PrivateKey.generateECDSA());
  const accounts = [];
  for (const key of keys) accounts.push(await open(key.publicKey, 1));
  const clients = keys.map((key, at) => Client.forNetwork(network).setOperator(accounts[at], key));
  const shared = await open(new KeyList(keys.map((key) => key.publicKey), 2), 10);
  let scheduleId;
  for (const by of clients) {
    const transfer = new TransferTransaction().addHbarTransfer(shared, new Hbar(-3));
    for (const account of accounts) transfer.addHbarTransfer(account, new Hbar(1));
    const statusOf = async (transaction) => {
      const { transactionId } = await transaction.freezeWith(by).execute(by);
      return new TransactionReceiptQuery().setTransactionId(transactionId).setValidateStatus(false).execute(by);
    };
    const created = await statusOf(transfer.schedule().setPayerAccountId(shared));
    say("identical", created.status);
    if (scheduleId) say("identical", (await statusOf(new ScheduleSignTransaction().setScheduleId(scheduleId))).status);
    scheduleId ??= created.scheduleId;
    say("identical", created.scheduleId.toString() === scheduleId.toString());
  }
  say("identical", await seen(scheduleId));
  say("identical", await remove(shared, keys[0], keys[1]));
  for (const [at, account] of accounts.entries()) say("identical", await remove(account, keys[at]));
  clients.forEach((each) => each.close());
}

// schedule/long-term-transaction: one that runs with its last signature, and one that waits for its time.
{
  const keys = [PrivateKey.generateECDSA(), PrivateKey.generateECDSA()];
  const alice = await open(new KeyList(keys.map((key) => key.publicKey)), 2);
  const schedule = async (waits, seconds) =>
    (await receipt(pay(alice, operatorId, 1).schedule().setWaitForExpiry(waits).setExpirationTime(later(seconds)))).scheduleId;
  const first = await schedule(false, 86_400);
  for (const key of keys) {
    await sign(first, key);
    say("long", `${await seen(first)}, ${await balance(alice)}`);
  }
  const second = await schedule(true, 20);
  await sign(second, keys[0]);
  say("long", await seen(second));
  const update = new AccountUpdateTransaction().setAccountId(alice).setKey(keys[0].publicKey);
  say("long", (await receipt(await signed(update, ...keys))).status);
  const patience = Date.now() + 60_000;
  while ((await balance(alice)).toTinybars() > 0 && Date.now() < patience) await new Promise((resolve) => setTimeout(resolve, 500));
  say("long", await balance(alice));
}

// schedule/multi-sig-transaction: two of three, one of them with the creation; it goes on waiting.
{
  const keys = [1, 2, 3].map(() => PrivateKey.generateECDSA());
  const account = await open(new KeyList(keys.map((key) => key.publicKey)), 2);
  const scheduled = pay(account, operatorId, 1).schedule().setPayerAccountId(operatorId).setAdminKey(operatorKey.publicKey);
  const { scheduleId } = await receipt(await signed(scheduled, keys[1]));
  say("progressive", await seen(scheduleId));
  say("progressive", await sign(scheduleId, keys[2]));
  say("progressive", await seen(scheduleId));
  say("progressive", await remove(account, ...keys));
}

// schedule/transfer: who is to be asked before it receives anything.
{
  const key = PrivateKey.generateECDSA();
  const bob = await open(key.publicKey, 1, (transaction) => signed(transaction.setReceiverSignatureRequired(true), key));
  const { scheduleId } = await receipt(pay(operatorId, bob, 1).schedule().setPayerAccountId(operatorId));
  const { scheduledTransaction } = await info(scheduleId);
  say("receiver", `${scheduledTransaction instanceof TransferTransaction}, ${await balance(bob)}`);
  await sign(scheduleId, key);
  say("receiver", `${await seen(scheduleId)}, ${await balance(bob)}`);
  say("receiver", await remove(bob, key));
}

// account/staking-2: what a new account stakes to is asked; that it was told to is passed over here.
{
  const account = await open(PrivateKey.generate().publicKey, 20, (transaction) => transaction.setStakedAccountId("0.0.3"));
  const { stakingInfo } = await new AccountInfoQuery().setAccountId(account).execute(client);
  say("staking", stakingInfo.toString());
}

// account/get-balance-mirror-node and account/transfer-crypto: on loopback the SDK asks at 5551, whatever port it is
// told; the test's mirror has another. The node account has what is sent to it, and what the record's question costs.
{
  const account = await open(PrivateKey.generate().publicKey, 1);
  const atItsPort = globalThis.fetch;
  globalThis.fetch = (url, options) => atItsPort(String(url).replace("http://127.0.0.1:5551", mirror), options);
  client.setMirrorNetwork("127.0.0.1:5551");
  const shown = (id) => new MirrorNodeAccountBalanceQuery().setAccountId(id).execute(client);
  say("mirror", await shown(account));
  const node = AccountId.fromString("0.0.3");
  const before = await balance(node);
  const sent = await pay(operatorId, node, 1).setTransactionMemo("Transfer example").execute(client);
  const record = await sent.getRecord(client);
  const more = (await balance(node)).toTinybars().subtract(before.toTinybars());
  say("transfer", `${record.receipt.status}, ${record.transactionMemo}, ${more} tℏ more`);
  say("transfer", String(await shown(node)) === String(await balance(node)));
}
client.close();
