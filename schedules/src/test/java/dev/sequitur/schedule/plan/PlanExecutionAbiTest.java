package dev.sequitur.schedule.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.abi.AbiEncoding;
import dev.sequitur.schedule.abi.EvmAddress;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  private static final ContractAddress CALLED = new ContractAddress("0x" + "ab".repeat(20));

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

  /** Two encodings of one execution would have two ids. */
  @Test
  void behindWhatIsEncodedIsNothing() {
    var terms = new PlanTerms(0, 1, Amount.ZERO);
    var privately =
        new Target.PrivateCall(
            CALLED, "token", "transfer", Identity.parse("alice@node1"), Bytes.utf8("{}"));
    for (var target : List.of(privately, publicCall(Optional.of(CALLED), BigInteger.ONE))) {
      var call = PlanCall.of(target);
      var longer = new PlanCall(call.to(), withMore(call.data()));
      assertThat(call.target(Amount.ZERO)).isEqualTo(target);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> longer.target(Amount.ZERO))
          .withMessage("Behind the ABI data there is more.");
    }
    var element = withMore(PlanExecutionAbi.execution(terms, privately));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PlanExecutionAbi.proposal(new AccountId("alice"), element))
        .withMessage("Behind the ABI data there is more.");
  }

  private static Bytes withMore(Bytes data) {
    return Bytes.hex(data.toHex() + "00".repeat(32));
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

  private static Target.PublicCall publicCall(Optional<ContractAddress> to, BigInteger value) {
    return new Target.PublicCall(
        new Identity("alice", new NodeName("node1")),
        to,
        Bytes.hex("0x371303c0"),
        value,
        50_000,
        PublicTransaction.Source.NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "9223372036854775808", "%s"})
  void aCallOfAContractIsReadAsItWasWritten(String value) {
    var most = BigInteger.TWO.pow(256).subtract(BigInteger.ONE);
    var call = publicCall(Optional.of(CALLED), new BigInteger(value.formatted(most)));
    var terms = new PlanTerms(0, 1, Amount.ZERO);

    var read =
        PlanExecutionAbi.proposal(new AccountId("alice"), PlanExecutionAbi.execution(terms, call));

    assertThat(read.target()).isEqualTo(call);
    assertThat(PlanCall.receiver(call)).contains(new AccountId(CALLED.value()));
  }

  /** The zero address is that of notifications. */
  @Test
  void whatMakesAContractIsNothingThatAPlanExecutes() {
    assertThatThrownBy(() -> PlanCall.of(publicCall(Optional.empty(), BigInteger.ONE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a call of a contract");
  }

  @Test
  void fiveValuesThatAreNoCallOfAContractAreRefusedWithASentence() {
    var data =
        new AbiEncoding().string("else").string("alice@a").bytes(Bytes.EMPTY).uint(1).uint(2);
    assertThatThrownBy(
            () ->
                new PlanCall(new EvmAddress(Bytes.hex(CALLED.value())), data.finish())
                    .target(Amount.ZERO))
        .hasMessage("A call of a contract is encoded as (\"public\", from, data, value, gas).");
  }
}
