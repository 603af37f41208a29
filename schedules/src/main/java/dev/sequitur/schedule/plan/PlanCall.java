package dev.sequitur.schedule.plan;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.abi.AbiDecoding;
import dev.sequitur.schedule.abi.AbiEncoding;
import dev.sequitur.schedule.abi.EvmAddress;
import java.util.Optional;

/**
 * What is executed, in the terms of the contract. A transfer goes to its receiver without data, a
 * notification to nobody with its message, a private transaction to its contract with the ABI
 * encoding of (string domain, string function, string from, bytes inputs), a public one to the
 * contract that it calls with that of (string "public", string from, bytes data, uint256 value,
 * uint256 gas) (PLN-14).
 */
public record PlanCall(EvmAddress to, Bytes data) {
  static final String EXECUTES =
      "A plan executes a transfer, a notification, a private transaction or a call of a contract,"
          + " once.";

  private static final int PRIVATE_CALL_FIELDS = 4;
  private static final int PUBLIC_CALL_FIELDS = 5;
  private static final String PUBLIC = "public";

  /**
   * @throws IllegalArgumentException if a plan cannot execute the target
   */
  public static PlanCall of(Target target) {
    return switch (target) {
      case Target.Transfer transfer -> new PlanCall(EvmAddress.of(transfer.to()), Bytes.EMPTY);
      case Target.Notify(var message) -> new PlanCall(EvmAddress.ZERO, message);
      case Target.PrivateCall call ->
          new PlanCall(
              new EvmAddress(Bytes.hex(call.contract().value())),
              new AbiEncoding()
                  .string(call.domain())
                  .string(call.function())
                  .string(call.from().toString())
                  .bytes(call.inputs())
                  .finish());
      case Target.PublicCall call ->
          new PlanCall(
              new EvmAddress(Bytes.hex(called(call).value())),
              new AbiEncoding()
                  .string(PUBLIC)
                  .string(call.from().toString())
                  .bytes(call.data())
                  .uint(call.value())
                  .uint(call.gas())
                  .finish());
      case Target.Repeat ignored -> throw new IllegalArgumentException(EXECUTES);
      case Target.ByFamily() -> throw new IllegalArgumentException(EXECUTES);
    };
  }

  private static ContractAddress called(Target.PublicCall call) {
    return call.to().orElseThrow(() -> new IllegalArgumentException(EXECUTES));
  }

  /**
   * @throws IllegalArgumentException with a sentence for the caller, if it is none of the four
   */
  Target target(Amount value) {
    if (data.isEmpty()) {
      return new Target.Transfer(new AccountId(to.toString()), value);
    } else if (to.equals(EvmAddress.ZERO)) {
      return new Target.Notify(data);
    }
    return AbiDecoding.hasValues(data, PUBLIC_CALL_FIELDS) ? publicCall() : privateCall();
  }

  private Target publicCall() {
    var fields = new AbiDecoding(data, PUBLIC_CALL_FIELDS);
    if (!fields.string().equals(PUBLIC)) {
      throw new IllegalArgumentException(
          "A call of a contract is encoded as (\"public\", from, data, value, gas).");
    }
    var call =
        new Target.PublicCall(
            Identity.parse(fields.string()),
            Optional.of(new ContractAddress(to.toString())),
            fields.bytes(),
            fields.big(),
            fields.uint(),
            PublicTransaction.Source.NONE);
    fields.finish();
    return call;
  }

  private Target privateCall() {
    var fields = new AbiDecoding(data, PRIVATE_CALL_FIELDS);
    var call =
        new Target.PrivateCall(
            new ContractAddress(to.toString()),
            fields.string(),
            fields.string(),
            Identity.parse(fields.string()),
            fields.bytes());
    fields.finish();
    return call;
  }

  /** Who gets the value of one that succeeds; nobody for a notification. */
  static Optional<AccountId> receiver(Target target) {
    return switch (target) {
      case Target.Transfer transfer -> Optional.of(transfer.to());
      case Target.PrivateCall call -> Optional.of(new AccountId(call.contract().value()));
      case Target.Notify ignored -> Optional.empty();
      case Target.PublicCall call -> Optional.of(new AccountId(called(call).value()));
      case Target.Repeat ignored -> throw new IllegalStateException(EXECUTES);
      case Target.ByFamily() -> throw new IllegalStateException(EXECUTES);
    };
  }
}
