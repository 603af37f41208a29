package dev.sequitur.node.hapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.scheduler.body.SubmittedTransaction.Operation;
import dev.sequitur.scheduler.body.TransactionWriter;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Coins of a group whose members are on two nodes, released at the front of one of them by three
 * who sign as Hedera's clients do; {@link PrivateReleaseIT} has such clients.
 */
class PrivateReleaseTest {
  private static final TransactionWriter WRITER =
      new TransactionWriter(Profile.CURRENT, new NodeAccount(0, 3));

  private final SigningClient client = new SigningClient();
  private final List<KeyPair> keys = Stream.generate(SigningClient::ed25519).limit(3).toList();
  private GroupOverTwoNodes group;

  @BeforeEach
  void start(@TempDir Path directory) {
    group = new GroupOverTwoNodes(directory, client.operator, keys);
  }

  @AfterEach
  void stop() {
    if (group != null) {
      group.close();
    }
  }

  @Test
  void threeSignaturesReleaseCoinsToTheOtherNodeAndNobodyElseSeesThem() {
    var schedule = schedule();
    sign(schedule, keys.get(0));
    sign(schedule, keys.get(1));
    assertThat(group.ofBob()).isZero();
    sign(schedule, keys.get(2));

    group.assertReleased(7);
  }

  private EntityId schedule() {
    var call =
        new Target.PrivateCall(
            new ContractAddress(group.contract),
            "token",
            "transfer",
            Identity.parse("alice@node1"),
            Bytes.utf8("{\"to\":\"bob@node2\",\"amount\":\"7\"}"));
    var body = WRITER.scheduled(0, 1_000, "", Action.PrivateTransaction.once(call));
    var creation =
        new Creation(body, Optional.empty(), Optional.empty(), "rent", Optional.empty(), false);
    var id = submit(new Operation.ScheduleCreate(creation, List.of()));
    return EntityId.parse(receipt(id).get("scheduleID").asText());
  }

  private JsonNode receipt(AccountTransactionId id) {
    return group.node1.result("multiSignature_getReceipt", "['" + id + "']");
  }

  private void sign(EntityId schedule, KeyPair key) {
    var id = submit(new Operation.ScheduleSign(schedule, List.of()), key);
    // One that has run already takes no more of them.
    assertThat(receipt(id).get("status").asText()).isEqualTo("SUCCESS");
  }

  private AccountTransactionId submit(Operation operation, KeyPair... more) {
    var id = client.id();
    var all = Stream.concat(Stream.of(client.operator), Stream.of(more)).toArray(KeyPair[]::new);
    var answered =
        group.front.call("/proto.ScheduleService/any", client.signed(id, operation, all));
    assertThat(answered.message()).isEqualTo(Bytes.EMPTY);
    return id;
  }
}
