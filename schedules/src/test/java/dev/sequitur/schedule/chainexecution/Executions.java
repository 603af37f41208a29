package dev.sequitur.schedule.chainexecution;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.GasPrice;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.abi.EvmAddress;
import dev.sequitur.schedule.chainexecution.ChainExecutionEvent.Failure;
import dev.sequitur.schedule.chainexecution.Reading.Point;
import dev.sequitur.schedule.chainexecution.ToDo.Known;
import dev.sequitur.schedule.chainexecution.ToDo.Waiting;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What tests of the provider's rules are about: executions around {@link #NOW}, all of one plan.
 */
final class Executions {
  /** The time of the newest block, which is {@link #NEWEST}. */
  static final long NOW = 1_000_000;

  static final Point NEWEST = new Point(50, new Hash(0, 0, 0, 50), NOW);
  static final ServedContract SERVED = new ServedContract(1337, EvmAddress.ZERO);
  static final long PLAN = 3;
  static final long WINDOW = 100;
  static final int TRIES = 3;
  static final int BUMP_AFTER = 4;
  static final int AT_ONCE = 2;
  static final GasPrice PRICE = new GasPrice(100, 2);
  static final ExecutionGas GAS = new ExecutionGas(1_000);
  static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(8), Duration.ofSeconds(64));
  static final Providing.Settings SETTINGS =
      new Providing.Settings(
          7, PRICE, AT_ONCE, BUMP_AFTER, TRIES, GAS, Duration.ofMillis(200), BACKOFF);

  /** Whatever is asked of it beyond hashes is a mistake of the rules. */
  static final PlanChain CHAIN =
      new PlanChain() {
        @Override
        public ServedContract contract() {
          return SERVED;
        }

        @Override
        public Hash hash(long nonce, ScheduleId execution, long gasLimit, Fees fees) {
          var said = nonce + "/" + execution + "/" + gasLimit + "/" + fees;
          return Hash.sha256(Bytes.utf8(said).toByteArray());
        }

        @Override
        public CompletionStage<ChainLook> look(ChainLook.Look look) {
          throw new AssertionError("Rules do not look: " + look);
        }

        @Override
        public CompletionStage<List<Sent>> send(List<ProviderDispatch> dispatches) {
          throw new AssertionError("Rules do not send: " + dispatches);
        }
      };

  private Executions() {}

  static ScheduleId id(int number) {
    return new ScheduleId(FamilyKind.CHAIN_EXECUTION, new Hash(7, 7, 7, number));
  }

  static ChainPlan plan(long window) {
    return new ChainPlan(BigInteger.ONE, EvmAddress.ZERO, window, 63_000, true);
  }

  static ChainExecutionTerms terms(long requested) {
    return new ChainExecutionTerms(PLAN, EvmAddress.ZERO, 0, requested, BigInteger.ZERO);
  }

  /** What a transaction for one of these gets. */
  static long gas() {
    return GAS.limit(63_000, 0);
  }

  static Waiting waiting(int number, long requested, Failure failure) {
    return new Waiting(id(number), terms(requested), plan(WINDOW), failure);
  }

  static Waiting waiting(int number, long requested) {
    return waiting(number, requested, Failure.NONE);
  }

  static ProviderDispatch dispatch(long nonce, int number, Fees fees, long sentAt) {
    var offer = new ProviderDispatch.Offer(fees, CHAIN.hash(nonce, id(number), gas(), fees));
    return new ProviderDispatch(nonce, id(number), gas(), List.of(offer), sentAt, Optional.empty());
  }

  /** Sent with the newest block, at the price of a chain without a base fee. */
  static ProviderDispatch dispatch(long nonce, int number) {
    return dispatch(nonce, number, new Fees(2, 2), NEWEST.number());
  }

  static Known known(List<Waiting> waiting, List<ProviderDispatch> dispatches) {
    return known(waiting, dispatches, "");
  }

  static Known known(List<Waiting> waiting, List<ProviderDispatch> dispatches, String trouble) {
    return new Known(
        Service.ACTIVE,
        Optional.of(SERVED),
        Optional.of(NEWEST),
        Optional.empty(),
        false,
        trouble,
        waiting,
        dispatches);
  }

  /** A chain without a base fee, with nothing new and an account that has used no nonce. */
  static ChainLook view() {
    return new ChainLook(
        NEWEST,
        1,
        0,
        30_000_000,
        false,
        new ChainLook.Account(0, BigInteger.TEN.pow(18)),
        Optional.empty(),
        Map.of(),
        Map.of());
  }
}
