// Three users of Hedera's own SDK, unchanged, release a private transaction together. README.md says how to run it.
import {
  AccountId, Client, ContractExecuteTransaction, ContractId, PrivateKey, ScheduleInfoQuery, ScheduleSignTransaction,
  TransactionReceiptQuery,
} from "@hiero-ledger/sdk";

// The operator's secret is that of node.conf: a test vector of RFC 8032, which everybody has.
const [
  front = "127.0.0.1:50211", url = "http://127.0.0.1:8545", node = "node1",
  secret = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
  ...others
] = process.argv.slice(2);
const say = (what, value) => console.log(`${what}: ${value}`);

// By JSON-RPC: a privacy group, and the keys that must sign for its member.
const rpc = async (method, params) => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  const { result, error } = await response.json();
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
};
const alice = `alice@${node}`;
const group = await rpc("pgroup_createGroup", [{ domain: "record", name: "rent", members: [alice, ...others] }]);
let contract = null;
while (!contract) {
  contract = (await rpc("pgroup_getGroupById", ["record", group.id]))?.contractAddress;
  if (!contract) await new Promise((resolve) => setTimeout(resolve, 200));
}
const keys = [PrivateKey.generateED25519(), PrivateKey.generateED25519(), PrivateKey.generateED25519()];
const texts = keys.map((key) => `ed25519:${key.publicKey.toStringRaw()}`);
await rpc("multiSignature_bindKey", [{ identity: alice, key: { keys: texts } }]);
say("a group of", [alice, ...others].join(", "));

// By the SDK: the operator schedules a call of the group's contract, and the three sign it.
const client = Client.forNetwork({ [front]: new AccountId(0, 0, 3) });
client.setOperator(new AccountId(0, 0, 2), PrivateKey.fromStringED25519(secret));
const call = { domain: "record", function: "increment", from: alice, inputs: { key: "rent", by: 1 } };
const scheduled = await (
  await new ContractExecuteTransaction()
    .setContractId(ContractId.fromEvmAddress(0, 0, contract))
    .setGas(1)
    .setFunctionParameters(new TextEncoder().encode(JSON.stringify(call)))
    .schedule()
    .execute(client)
).getReceipt(client);
say("scheduled", scheduled.status);
for (const key of keys) {
  const before = await new ScheduleInfoQuery().setScheduleId(scheduled.scheduleId).execute(client);
  say("released", before.executed !== null);
  const sign = await new ScheduleSignTransaction().setScheduleId(scheduled.scheduleId).freezeWith(client).sign(key);
  say("signed", (await (await sign.execute(client)).getReceipt(client)).status);
}
const outcome = await new TransactionReceiptQuery().setTransactionId(scheduled.scheduledTransactionId).execute(client);
say("it ran", outcome.status);
client.close();
