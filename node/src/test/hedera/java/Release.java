import com.google.protobuf.ByteString;
import com.hedera.hashgraph.sdk.AccountId;
import com.hedera.hashgraph.sdk.Client;
import com.hedera.hashgraph.sdk.ContractExecuteTransaction;
import com.hedera.hashgraph.sdk.ContractId;
import com.hedera.hashgraph.sdk.PrivateKey;
import com.hedera.hashgraph.sdk.ScheduleInfoQuery;
import com.hedera.hashgraph.sdk.ScheduleSignTransaction;
import com.hedera.hashgraph.sdk.TransactionReceiptQuery;
import java.util.List;
import java.util.Map;

/**
 * A private transaction of a group, scheduled as a call of the group's contract, which runs once
 * all whose keys its sender has given away have signed.
 */
public final class Release {
  private Release() {}

  private static void say(String what, Object value) {
    System.out.println(what + ": " + value);
  }

  /** The address, the operator's key, the group's contract, the JSON of the call, and the keys. */
  public static void main(String[] args) throws Exception {
    var network = Map.of(args[0], new AccountId(0, 0, 3));
    try (var client = Client.forNetwork(network)) {
      client.setOperator(new AccountId(0, 0, 2), PrivateKey.fromStringED25519(args[1]));
      var receipt =
          new ContractExecuteTransaction()
              .setContractId(ContractId.fromEvmAddress(0, 0, args[2]))
              .setGas(1)
              .setFunctionParameters(ByteString.copyFromUtf8(args[3]))
              .schedule()
              .execute(client)
              .getReceipt(client);
      say("scheduled", receipt.status);
      for (var secret : List.of(args).subList(4, args.length)) {
        var info = new ScheduleInfoQuery().setScheduleId(receipt.scheduleId).execute(client);
        say("released", info.executedAt != null);
        var signed =
            new ScheduleSignTransaction()
                .setScheduleId(receipt.scheduleId)
                .freezeWith(client)
                .sign(PrivateKey.fromStringED25519(secret))
                .execute(client)
                .getReceipt(client);
        say("signed", signed.status);
      }
      var outcome =
          new TransactionReceiptQuery()
              .setTransactionId(receipt.scheduledTransactionId)
              .execute(client);
      say("it ran", outcome.status);
    }
  }
}
