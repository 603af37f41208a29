package dev.sequitur.schedule.queue;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.abi.EvmAddress;
import dev.sequitur.schedule.chainexecution.ChainExecutionTerms;
import dev.sequitur.schedule.chainexecution.ChainLook;
import dev.sequitur.schedule.chainexecution.ChainPlan;
import dev.sequitur.schedule.chainexecution.PlanChain;
import dev.sequitur.schedule.chainexecution.ProviderDispatch;
import dev.sequitur.schedule.chainexecution.Reading;
import dev.sequitur.schedule.chainexecution.Reading.End;
import dev.sequitur.schedule.chainexecution.Reading.Logged;
import dev.sequitur.schedule.chainexecution.Reading.Point;
import dev.sequitur.schedule.chainexecution.ServedContract;
import dev.sequitur.schedule.plan.PlanExecutionState;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The deployed contract on a chain that a test makes block by block, with its rules at the edges: a
 * lower bound that is exclusive, and overdue ones that cannot be cancelled. A block can be taken
 * back.
 */
final class PlanContract implements PlanChain {
  static final ServedContract SERVED = new ServedContract(1337, EvmAddress.ZERO);
  static final AccountId REQUESTOR = new AccountId("0x" + "aa".repeat(20));
  static final int CONFIRMATIONS = 3;
  static final long GAS = 100_000;

  /** A state of the contract, and of the provider's account. */
  private static final class World {
    final Map<ScheduleId, ChainExecutionTerms> requests = new LinkedHashMap<>();
    final Map<ScheduleId, PlanExecutionState> states = new HashMap<>();
    final Map<Long, ChainLook.Receipt> receipts = new HashMap<>();
    boolean paused;
    long nonce;

    World copy() {
      var copy = new World();
      copy.requests.putAll(requests);
      copy.states.putAll(states);
      copy.receipts.putAll(receipts);
      copy.paused = paused;
      copy.nonce = nonce;
      return copy;
    }
  }

  private record Block(Point point, List<Logged> logs, World after) {}

  final ChainPlan plan;
  final TreeMap<Long, ProviderDispatch> pool = new TreeMap<>();
  final List<ScheduleId> executedByUs = new ArrayList<>();
  private final List<Block> blocks = new ArrayList<>();
  private final List<Runnable> acts = new ArrayList<>();
  private World world = new World();
  private List<Logged> logs = new ArrayList<>();
  private int forks;
  private int requests;
  private long nextTime;

  /** Which calls of executions fail. */
  boolean callsFail;

  boolean unreachable;
  BigInteger balance = BigInteger.TEN.pow(18);
  long baseFee;
  Pooling pooling = Pooling.POOLED;

  /** A block is being made: the node counts what is in it, and shows nothing else of it. */
  boolean making;

  long blockGas = 30_000_000;
  private final Set<ScheduleId> neverTaken = new HashSet<>();

  PlanContract(long window, long firstTime) {
    plan = new ChainPlan(BigInteger.ONE, EvmAddress.ZERO, window, GAS, true);
    nextTime = firstTime;
    acts.add(() -> logs.add(new Reading.PlanAdded(number(), 0, plan)));
    mine();
  }

  private long number() {
    return blocks.size();
  }

  long now() {
    return blocks.getLast().point().time();
  }

  /** In the next block. */
  ScheduleId request(long timestamp) {
    var id = new ScheduleId(FamilyKind.CHAIN_EXECUTION, new Hash(7, 7, 7, ++requests));
    request(id, timestamp);
    return id;
  }

  void request(ScheduleId id, long timestamp) {
    acts.add(
        () -> {
          var terms = new ChainExecutionTerms(0, EvmAddress.ZERO, 0, timestamp, BigInteger.ZERO);
          world.requests.put(id, terms);
          world.states.put(id, PlanExecutionState.SCHEDULED);
          logs.add(new Reading.Requested(number(), id, REQUESTOR, terms));
        });
  }

  void cancel(ScheduleId id) {
    acts.add(
        () -> {
          if (state(id) == PlanExecutionState.SCHEDULED) {
            end(id, PlanExecutionState.CANCELLED, new End.Cancelled());
          }
        });
  }

  void refund(ScheduleId id) {
    acts.add(
        () -> {
          if (state(id) == PlanExecutionState.OVERDUE) {
            end(id, PlanExecutionState.REFUNDED, new End.Refunded());
          }
        });
  }

  void pause(boolean paused) {
    acts.add(() -> world.paused = paused);
  }

  /** By somebody else. */
  void executeByOther(ScheduleId id) {
    acts.add(() -> execute(id));
  }

  /** Whether its log is missed by the node that is asked. */
  void executeWithoutLog(ScheduleId id) {
    acts.add(
        () -> {
          execute(id);
          logs.removeLast();
        });
  }

  private void end(ScheduleId id, PlanExecutionState state, End end) {
    world.states.put(id, state);
    logs.add(new Reading.Seen(number(), id, end));
  }

  private Optional<String> execute(ScheduleId id) {
    var terms = world.requests.get(id);
    if (world.paused) {
      return Optional.of("Pausable: paused");
    } else if (terms == null || state(id) != PlanExecutionState.SCHEDULED) {
      return Optional.of("Not scheduled");
    } else if (terms.timestamp() - plan.window() >= nextTime) {
      return Optional.of("Too soon");
    }
    end(
        id,
        callsFail ? PlanExecutionState.EXECUTION_FAILED : PlanExecutionState.EXECUTION_SUCCESSFUL,
        new End.Executed(callsFail ? Optional.of("It failed.") : Optional.empty()));
    return Optional.empty();
  }

  private PlanExecutionState state(ScheduleId id) {
    var state = world.states.getOrDefault(id, PlanExecutionState.NONEXISTENT);
    var terms = world.requests.get(id);
    return state == PlanExecutionState.SCHEDULED && terms.timestamp() + plan.window() < nextTime
        ? PlanExecutionState.OVERDUE
        : state;
  }

  /** A block one second later. */
  void mine() {
    mineAt(nextTime);
  }

  void mineAt(long time) {
    nextTime = time;
    logs = new ArrayList<>();
    world = world.copy();
    acts.forEach(Runnable::run);
    acts.clear();
    while (pool.containsKey(world.nonce)) {
      var dispatch = pool.remove(world.nonce);
      var failure = execute(dispatch.execution());
      if (failure.isEmpty()) {
        executedByUs.add(dispatch.execution());
      }
      world.receipts.put(
          world.nonce, new ChainLook.Receipt(dispatch.newest().hash(), number(), failure));
      world.nonce++;
    }
    blocks.add(new Block(new Point(number(), new Hash(1, forks, number(), 0), time), logs, world));
    nextTime = time + 1;
  }

  /** The newest blocks are taken back, with all that was in them; the next one has this time. */
  void takeBack(int count, long time) {
    for (int i = 0; i < count; i++) {
      blocks.removeLast();
    }
    world = blocks.getLast().after().copy();
    forks++;
    nextTime = time;
  }

  /** The chain's node refuses what executes it. */
  void neverTakes(ScheduleId id) {
    neverTaken.add(id);
  }

  /** Transactions of the account that are in blocks, refused ones too. */
  long sent() {
    return world.nonce;
  }

  void anotherTransactionOfTheAccount() {
    acts.add(() -> world.nonce++);
  }

  @Override
  public ServedContract contract() {
    return SERVED;
  }

  @Override
  public CompletionStage<ChainLook> look(ChainLook.Look look) {
    if (unreachable) {
      return CompletableFuture.failedFuture(new IllegalStateException("The chain is away."));
    }
    var newest = blocks.getLast();
    var states = new HashMap<ScheduleId, PlanExecutionState>();
    for (var id : look.executions()) {
      states.put(id, stateAt(newest, id));
    }
    var receipts = new HashMap<>(newest.after().receipts);
    receipts.keySet().retainAll(look.dispatches().stream().map(ProviderDispatch::nonce).toList());
    return CompletableFuture.completedFuture(
        new ChainLook(
            newest.point(),
            1,
            baseFee,
            blockGas,
            newest.after().paused,
            new ChainLook.Account(newest.after().nonce + (making ? pool.size() : 0), balance),
            reading(look),
            states,
            receipts));
  }

  private PlanExecutionState stateAt(Block block, ScheduleId id) {
    var state = block.after().states.getOrDefault(id, PlanExecutionState.NONEXISTENT);
    var terms = block.after().requests.get(id);
    return state == PlanExecutionState.SCHEDULED
            && terms.timestamp() + plan.window() < block.point().time()
        ? PlanExecutionState.OVERDUE
        : state;
  }

  private Optional<Reading> reading(ChainLook.Look look) {
    var newest = blocks.getLast().point();
    if (look.read().equals(Optional.of(newest))
        || look.read().filter(read -> read.number() > newest.number()).isPresent()) {
      return Optional.empty();
    }
    var after = look.read().filter(this::isHere).or(() -> look.settled().filter(this::isHere));
    var read = new ArrayList<Logged>();
    for (var block : blocks) {
      if (after.isEmpty() || block.point().number() > after.get().number()) {
        read.addAll(block.logs());
      }
    }
    long settled = newest.number() - CONFIRMATIONS;
    return Optional.of(
        new Reading(
            after,
            read,
            newest,
            settled < 0 ? Optional.empty() : Optional.of(blocks.get((int) settled).point()),
            Map.of()));
  }

  private boolean isHere(Point point) {
    return point.number() < blocks.size() && blocks.get((int) point.number()).point().equals(point);
  }

  @Override
  public Hash hash(long nonce, ScheduleId execution, long gasLimit, Fees fees) {
    var said = nonce + "/" + execution + "/" + gasLimit + "/" + fees;
    return Hash.sha256(Bytes.utf8(said).toByteArray());
  }

  @Override
  public CompletionStage<List<Sent>> send(List<ProviderDispatch> dispatches) {
    var answers = new ArrayList<Sent>();
    for (var dispatch : dispatches) {
      var taken = neverTaken.contains(dispatch.execution()) ? Pooling.INVALID : pooling;
      boolean used = dispatch.nonce() < world.nonce;
      if (!used && taken == Pooling.POOLED) {
        pool.put(dispatch.nonce(), dispatch);
      }
      answers.add(new Sent(dispatch.nonce(), used ? Pooling.NONCE_USED : taken, "words"));
    }
    return CompletableFuture.completedFuture(answers);
  }
}
