package dev.sequitur.schedule.plan;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.abi.AbiDecoding;
import dev.sequitur.schedule.abi.AbiEncoding;
import dev.sequitur.schedule.abi.EvmAddress;
import dev.sequitur.schedule.family.Proposal;

/** The bytes in which clients of the contract speak of executions. */
public final class PlanExecutionAbi {
  private static final int EXECUTION_FIELDS = 5;

  private PlanExecutionAbi() {}

  /**
   * Keccak-256 over {@code abi.encode(requestor, plan, to, data, timestamp, value)}: the contract's
   * own id (PLN-4).
   *
   * @throws IllegalArgumentException if a plan cannot execute the target
   */
  public static Hash id(AccountId requestor, PlanTerms terms, Target target) {
    return id(requestor, terms, PlanCall.of(target));
  }

  /** The same of what is told apart as {@code to} and {@code data}. */
  public static Hash id(AccountId requestor, PlanTerms terms, PlanCall call) {
    return Digests.keccak256(
        new AbiEncoding()
            .address(EvmAddress.of(requestor))
            .uint(terms.plan())
            .address(call.to())
            .bytes(call.data())
            .uint(terms.timestamp())
            .uint(terms.value().units())
            .finish());
  }

  /**
   * One element of {@code batchSchedule}: (uint256 plan, address to, bytes data, uint256 timestamp,
   * uint256 value).
   *
   * @throws IllegalArgumentException with a sentence for the caller
   */
  public static Proposal proposal(AccountId requestor, Bytes execution) {
    var fields = new AbiDecoding(execution, EXECUTION_FIELDS);
    long plan = fields.uint();
    var call = new PlanCall(fields.address(), fields.bytes());
    var terms = new PlanTerms(plan, fields.uint(), new Amount(fields.uint()));
    fields.finish();
    return Proposal.of(requestor, terms, call.target(terms.value()));
  }

  /** The element of {@code batchSchedule} that {@link #proposal} reads. */
  public static Bytes execution(PlanTerms terms, Target target) {
    return execution(terms, PlanCall.of(target));
  }

  /** The same of what is told apart as {@code to} and {@code data}. */
  public static Bytes execution(PlanTerms terms, PlanCall call) {
    return new AbiEncoding()
        .uint(terms.plan())
        .address(call.to())
        .bytes(call.data())
        .uint(terms.timestamp())
        .uint(terms.value().units())
        .finish();
  }
}
