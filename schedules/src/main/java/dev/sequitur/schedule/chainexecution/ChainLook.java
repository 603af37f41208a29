package dev.sequitur.schedule.chainexecution;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.chainexecution.Reading.Point;
import dev.sequitur.schedule.plan.PlanExecutionState;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The chain as one look shows it.
 *
 * @param newest its newest block
 * @param interval seconds between two blocks lately, at least 1
 * @param baseFee of the newest block; 0 on a chain without
 * @param blockGas that a block may use
 * @param paused whether the contract is, at the newest block
 * @param account of the provider
 * @param reading empty if there is no new block
 * @param states of the executions that were asked about, at the newest block; of one that the
 *     contract fails over, none
 * @param receipts of the dispatches that were asked about, by nonce, if a block has them
 */
public record ChainLook(
    Point newest,
    long interval,
    long baseFee,
    long blockGas,
    boolean paused,
    Account account,
    Optional<Reading> reading,
    Map<ScheduleId, PlanExecutionState> states,
    Map<Long, Receipt> receipts) {
  public ChainLook {
    states = Map.copyOf(states);
    receipts = Map.copyOf(receipts);
  }

  /**
   * @param nonce the first that no block has used
   * @param balance in the chain's smallest unit
   */
  public record Account(long nonce, BigInteger balance) {}

  /**
   * What became of a transaction.
   *
   * @param failure why the contract refused it, a sentence; empty if it did not
   */
  public record Receipt(Hash hash, long block, Optional<String> failure) {}

  /**
   * What a look is to show.
   *
   * @param from the first block of interest, if nothing was read before
   * @param read the last block whose logs are known
   * @param settled the last that is final
   * @param executions whose states are wanted
   * @param dispatches that wait for their block
   */
  public record Look(
      long from,
      Optional<Point> read,
      Optional<Point> settled,
      List<ScheduleId> executions,
      List<ProviderDispatch> dispatches) {
    public Look {
      executions = List.copyOf(executions);
      dispatches = List.copyOf(dispatches);
    }
  }
}
