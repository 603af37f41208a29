package dev.sequitur.protocol.schedule.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.Amount;
import dev.sequitur.protocol.schedule.Target;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The vectors in {@code execution-ids.tsv} were made elsewhere: the contract's own {@code
 * getExecutionId}, compiled by solc and run in a JavaScript EVM, and ethers' ABI coder and keccak
 * gave the same ids. So did a Keccak of forty lines of Python, over {@code abi.encode} by hand,
 * whose permutation gives hashlib's {@code sha3_256} with that standard's padding.
 */
class PlanExecutionAbiTest {
  private record Vector(
      String kind, AccountId requestor, PlanTerms terms, String to, Bytes data, String[] rest) {
    static Vector of(String line) {
      var fields = line.split("\t");
      return new Vector(
          fields[0],
          new AccountId(fields[1]),
          new PlanTerms(
              Long.parseLong(fields[2]),
              Long.parseLong(fields[5]),
              new Amount(Long.parseLong(fields[6]))),
          fields[3],
          Bytes.hex(fields[4]),
          new String[] {fields[7], fields[8]});
    }

    Target target() {
      return switch (kind) {
        case "transfer" ->
            new Target.Transfer(
                new AccountId(requestor.value().equals("alice") ? "bob" : to), terms.value());
        case "notify" -> new Target.Notify(data);
        default ->
            new Target.PrivateCall(
                new ContractAddress(to),
                "token",
                "transfer",
                new Identity("alice", new NodeName("node1")),
                Bytes.utf8("{}"));
      };
    }

    String id() {
      return rest[0];
    }

    Bytes batchElement() {
      return Bytes.hex(rest[1]);
    }
  }

  @Test
  void anIdIsTheOneThatTheContractComputes() throws IOException {
    for (var vector : vectors()) {
      var id = PlanExecutionAbi.id(vector.requestor(), vector.terms(), vector.target());
      assertThat(id).hasToString(vector.id());
    }
  }

  @Test
  void anElementOfABatchIsReadAsClientsWriteIt() throws IOException {
    for (var vector : vectors()) {
      var element = vector.batchElement();
      assertThat(PlanExecutionAbi.execution(vector.terms(), vector.target())).isEqualTo(element);
      var read = PlanExecutionAbi.proposal(vector.requestor(), element);
      assertThat(read.terms()).isEqualTo(vector.terms());
      assertThat(PlanExecutionAbi.id(vector.requestor(), vector.terms(), read.target()))
          .hasToString(vector.id());
    }
  }

  @Test
  void dataThatIsNoPrivateTransactionIsRefusedWithASentence() {
    var element =
        PlanExecutionAbi.execution(
            new PlanTerms(0, 1, Amount.ZERO), new Target.Notify(Bytes.hex("0x371303c0")));
    var digits =
        element.toHex().replaceFirst("0x0{64}0{24}0{40}", "0x" + "0".repeat(88) + "11".repeat(20));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> PlanExecutionAbi.proposal(new AccountId("alice"), Bytes.hex(digits)))
        .withMessageContaining("ABI data");
  }

  private static List<Vector> vectors() throws IOException {
    try (var file = PlanExecutionAbiTest.class.getResourceAsStream("execution-ids.tsv")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(Vector::of)
          .toList();
    }
  }
}
