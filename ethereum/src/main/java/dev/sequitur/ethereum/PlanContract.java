package dev.sequitur.ethereum;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.stream.Collectors.toSet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.ethereum.ChainRpc.Answer;
import dev.sequitur.ethereum.ChainRpc.Call;
import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.chainexecution.ChainLook;
import dev.sequitur.schedule.chainexecution.ChainLook.Look;
import dev.sequitur.schedule.chainexecution.ChainPlan;
import dev.sequitur.schedule.chainexecution.PlanChain;
import dev.sequitur.schedule.chainexecution.ProviderDispatch;
import dev.sequitur.schedule.chainexecution.Reading;
import dev.sequitur.schedule.chainexecution.Reading.Logged;
import dev.sequitur.schedule.chainexecution.Reading.Point;
import dev.sequitur.schedule.chainexecution.ServedContract;
import dev.sequitur.schedule.plan.PlanExecutionState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A deployed {@code RIFScheduler}, through the JSON-RPC of its chain's nodes. A look names the
 * block whose state it shows, so that a node that lags behind fails it instead of showing an older
 * one. Thread-safe; blocks nobody.
 */
public final class PlanContract implements PlanChain {
  /** Of logs in one question; halved as long as a node refuses, since many have a limit. */
  private static final long MOST_BLOCKS = 2_000;

  /** Blocks whose pace is taken for that of the next. */
  private static final long PACE = 10;

  private final ChainRpc rpc;
  private final ChainLogs logs;
  private final ServedContract contract;
  private final int confirmations;
  private final boolean legacy;
  private final Signer signer;
  private final LedgerAddress account;
  private final AtomicLong span = new AtomicLong(MOST_BLOCKS);

  /**
   * Does not connect yet.
   *
   * @param confirmations blocks that stand upon one that is final
   * @param legacy whether transactions have no type, for chains that take no others; what they pay
   *     is the most that is offered
   * @param signer of the account that executes; anybody's may
   */
  public PlanContract(
      ChainRpc rpc,
      ServedContract contract,
      int confirmations,
      boolean legacy,
      Signer signer,
      Signatures signatures) {
    this.rpc = rpc;
    this.logs = new ChainLogs(rpc);
    this.contract = contract;
    this.confirmations = confirmations;
    this.legacy = legacy;
    this.signer = signer;
    this.account = signatures.address(signer.verifier());
  }

  @Override
  public ServedContract contract() {
    return contract;
  }

  /**
   * Whether the contract is there: what is asked first.
   *
   * @return fails with a {@link LedgerUnreachableException} that says what is there instead
   */
  public CompletionStage<Void> find() {
    return rpc.ask("eth_getCode", contract.address().toString(), "latest")
        .thenCompose(
            code -> {
              if (code.asText().length() <= 2) {
                throw new LedgerUnreachableException(
                    "There is no contract at %s on chain %d: correct --contract, or --rpc."
                        .formatted(contract.address(), contract.chain()));
              }
              return rpc.answers(List.of(view(PlanContractCalls.paused(), "latest")));
            })
        .thenAccept(
            answers -> {
              if (!(answers.getFirst() instanceof Answer.Result(var value))
                  || value.asText().length() <= 2) {
                throw new LedgerUnreachableException(
                    "What is at %s is no RIFScheduler: correct --contract."
                        .formatted(contract.address()));
              }
            });
  }

  @Override
  public CompletionStage<ChainLook> look(Look look) {
    var asked = new ArrayList<Call>();
    asked.add(Call.of("eth_getBlockByNumber", "latest", false));
    look.read().ifPresent(point -> asked.add(block(point.number())));
    look.settled().ifPresent(point -> asked.add(block(point.number())));
    return rpc.results(asked)
        .thenCompose(
            blocks -> {
              var newest = blocks.getFirst();
              if (newest.isNull()) {
                throw new LedgerUnreachableException("The chain has no block yet.");
              }
              var here = new ArrayList<Point>();
              blocks.stream()
                  .skip(1)
                  .filter(block -> !block.isNull())
                  .map(PlanContract::point)
                  .forEach(here::add);
              return new Looking(look, newest, here).look();
            });
  }

  private static Call block(long number) {
    return Call.of("eth_getBlockByNumber", ChainJson.hex(number), false);
  }

  private static Point point(JsonNode block) {
    return new Point(
        ChainJson.number(block, "number"),
        ChainJson.hash(block, "hash"),
        ChainJson.number(block, "timestamp"));
  }

  private Call view(Bytes data, String tag) {
    return Call.of(
        "eth_call", Map.of("to", contract.address().toString(), "data", data.toHex()), tag);
  }

  /** One look, once its newest block is known. */
  private final class Looking {
    private final Look look;
    private final JsonNode newestBlock;
    private final Point newest;
    private final String tag;

    /** The last block whose logs are known and stay; empty if all are to be read. */
    private final Optional<Point> after;

    private final Optional<Point> settled;
    private final long from;
    private final long to;
    private final List<Call> asked = new ArrayList<>();

    Looking(Look look, JsonNode newestBlock, List<Point> here) {
      this.look = look;
      this.newestBlock = newestBlock;
      this.newest = point(newestBlock);
      this.tag = ChainJson.hex(newest.number());
      this.settled = look.settled().filter(here::contains);
      this.after = look.read().filter(here::contains).or(() -> settled);
      this.from = after.map(point -> point.number() + 1).orElse(look.from());
      this.to = Math.min(newest.number(), from + span.get() - 1);
    }

    /** Not while a node is behind what is known: its chain may yet be the same. */
    private boolean isToRead() {
      return from <= to && look.read().filter(read -> read.number() > newest.number()).isEmpty();
    }

    private int ask(Call call) {
      asked.add(call);
      return asked.size() - 1;
    }

    CompletionStage<ChainLook> look() {
      int nonce = ask(Call.of("eth_getTransactionCount", account.value(), tag));
      int balance = ask(Call.of("eth_getBalance", account.value(), tag));
      int paused = ask(view(PlanContractCalls.paused(), tag));
      int earlier = ask(block(Math.max(0, newest.number() - PACE)));
      int reading = asked.size();
      if (isToRead()) {
        ask(block(lastFinal()));
      }
      int states = asked.size();
      look.executions().forEach(id -> ask(view(PlanContractCalls.state(id), tag)));
      int receipts = asked.size();
      var waiting = look.dispatches().stream().filter(ProviderDispatch::isWaiting).toList();
      for (var dispatch : waiting) {
        for (var offer : dispatch.offers()) {
          ask(Call.of("eth_getTransactionReceipt", offer.hash().toString()));
        }
      }
      return rpc.answers(asked)
          .thenCompose(
              answers ->
                  reading(answers, reading)
                      .thenCombine(
                          receipts(waiting, answers.subList(receipts, answers.size())),
                          (read, known) ->
                              new ChainLook(
                                  newest,
                                  pace(point(result(answers, earlier))),
                                  newestBlock.has("baseFeePerGas")
                                      ? ChainJson.number(newestBlock, "baseFeePerGas")
                                      : 0,
                                  ChainJson.number(newestBlock, "gasLimit"),
                                  PlanContractCalls.readPaused(result(answers, paused).asText()),
                                  new ChainLook.Account(
                                      ChainJson.number(result(answers, nonce)),
                                      ChainJson.amount(result(answers, balance))),
                                  read,
                                  states(answers.subList(states, receipts)),
                                  known)));
    }

    private long lastFinal() {
      return Math.max(0, Math.min(to, newest.number() - confirmations));
    }

    private long pace(Point before) {
      long blocks = newest.number() - before.number();
      return blocks == 0 ? 1 : Math.max(1, (newest.time() - before.time()) / blocks);
    }

    private ChainLogs.Wanted wanted() {
      return new ChainLogs.Wanted(
          from,
          to,
          Set.of(Bytes.hex(contract.address().toString())),
          PlanContractCalls.EVENTS.stream()
              .map(event -> Bytes.of(event.toByteArray()))
              .collect(toSet()));
    }

    private JsonNode result(List<Answer> answers, int place) {
      return switch (answers.get(place)) {
        case Answer.Result(var value) when !value.isNull() -> value;
        case Answer.Result ignored ->
            throw new LedgerUnreachableException(
                "The chain's node does not have block %d yet: it is asked again."
                    .formatted(newest.number()));
        case Answer.Refusal(var code, var message, var data) ->
            throw new LedgerUnreachableException(
                "The chain's node refuses %s: %s (%d)."
                    .formatted(asked.get(place).method(), message, code));
      };
    }

    private CompletionStage<Optional<Reading>> reading(List<Answer> answers, int place) {
      if (!isToRead()) {
        return completedFuture(Optional.empty());
      }
      var atLast = point(result(answers, place));
      return logs.read(wanted())
          .whenComplete(
              (read, failure) ->
                  span.updateAndGet(
                      blocks ->
                          failure == null
                              ? Math.min(MOST_BLOCKS, 2 * blocks)
                              : Math.max(1, blocks / 2)))
          .thenCompose(read -> reading(point(read.last()), read.logs(), atLast));
    }

    private CompletionStage<Optional<Reading>> reading(
        Point last, List<JsonNode> logs, Point atLast) {
      if (last.number() == newest.number() && !last.equals(newest)) {
        throw new LedgerUnreachableException(
            "The chain was reorganised while it was read: it is read again.");
      }
      return logged(logs)
          .thenCompose(
              read ->
                  plans(read)
                      .thenApply(
                          plans ->
                              Optional.of(new Reading(after, read, last, settled(atLast), plans))));
    }

    /** It never goes back, so that what had its outcome is not read again. */
    private Optional<Point> settled(Point now) {
      if (newest.number() < confirmations) {
        return settled;
      }
      return settled.filter(before -> before.number() >= now.number()).or(() -> Optional.of(now));
    }

    private CompletionStage<List<Logged>> logged(List<JsonNode> logs) {
      var requests = new ArrayList<Call>();
      for (var log : logs) {
        if (PlanContractCalls.isRequested(log)) {
          requests.add(view(PlanContractCalls.execution(PlanContractCalls.id(log)), tag));
        }
      }
      return rpc.answers(requests)
          .thenApply(
              answers -> {
                var read = new ArrayList<Logged>();
                int next = 0;
                for (var log : logs) {
                  if (PlanContractCalls.isRequested(log)) {
                    read.add(
                        PlanContractCalls.readRequested(
                            ChainJson.number(log, "blockNumber"),
                            PlanContractCalls.id(log),
                            said(answers.get(next++))));
                  } else {
                    PlanContractCalls.readLog(log).ifPresent(read::add);
                  }
                }
                return read;
              });
    }

    /** Those of the requests: the start block may be later than theirs. */
    private CompletionStage<Map<Long, ChainPlan>> plans(List<Logged> logs) {
      var numbers = new LinkedHashSet<Long>();
      for (var log : logs) {
        if (log instanceof Reading.Requested request) {
          numbers.add(request.terms().plan());
        }
      }
      var ordered = List.copyOf(numbers);
      return rpc.answers(
              ordered.stream().map(number -> view(PlanContractCalls.plan(number), tag)).toList())
          .thenApply(
              answers -> {
                var plans = new HashMap<Long, ChainPlan>();
                for (int i = 0; i < ordered.size(); i++) {
                  var number = ordered.get(i);
                  said(answers.get(i))
                      .ifPresent(answer -> plans.put(number, PlanContractCalls.readPlan(answer)));
                }
                return plans;
              });
    }

    /** Empty if the contract failed over it; a node that has no such block fails the look. */
    private Optional<String> said(Answer answer) {
      return switch (answer) {
        case Answer.Result(var value) -> Optional.of(value.asText());
        case Answer.Refusal(var code, var message, var data) when isRevert(message, data) ->
            Optional.empty();
        case Answer.Refusal(var code, var message, var data) ->
            throw new LedgerUnreachableException(
                "The chain's node refuses eth_call: %s (%d).".formatted(message, code));
      };
    }

    private Map<ScheduleId, PlanExecutionState> states(List<Answer> answers) {
      var states = new HashMap<ScheduleId, PlanExecutionState>();
      for (int i = 0; i < answers.size(); i++) {
        var id = look.executions().get(i);
        said(answers.get(i))
            .ifPresent(answer -> states.put(id, PlanContractCalls.readState(answer)));
      }
      return states;
    }

    private CompletionStage<Map<Long, ChainLook.Receipt>> receipts(
        List<ProviderDispatch> waiting, List<Answer> answers) {
      CompletionStage<Map<Long, ChainLook.Receipt>> all = completedFuture(new HashMap<>());
      int next = 0;
      for (var dispatch : waiting) {
        for (var offer : dispatch.offers()) {
          if (answers.get(next++) instanceof Answer.Result(var receipt)
              && !receipt.isNull()
              && ChainJson.number(receipt, "blockNumber") <= newest.number()) {
            all =
                all.thenCombine(
                    failure(dispatch, receipt),
                    (before, failure) -> {
                      before.put(
                          dispatch.nonce(),
                          new ChainLook.Receipt(
                              offer.hash(), ChainJson.number(receipt, "blockNumber"), failure));
                      return before;
                    });
          }
        }
      }
      return all;
    }

    /** Why the contract refused it: it is called again on the block before. */
    private CompletionStage<Optional<String>> failure(ProviderDispatch dispatch, JsonNode receipt) {
      if (ChainJson.number(receipt, "status") == 1) {
        return completedFuture(Optional.empty());
      }
      var call =
          Map.of(
              "from", account.value(),
              "to", contract.address().toString(),
              "gas", ChainJson.hex(dispatch.gasLimit()),
              "data", PlanContractCalls.execute(dispatch.execution()).toHex());
      var before = ChainJson.hex(ChainJson.number(receipt, "blockNumber") - 1);
      return rpc.answers(List.of(Call.of("eth_call", call, before)))
          .thenApply(
              answers ->
                  Optional.of(
                      answers.getFirst() instanceof Answer.Refusal(var code, var message, var data)
                          ? "The contract refused it: "
                              + (data.length() <= 2
                                  ? message + "."
                                  : PlanContractCalls.reason(data))
                          : "The contract refused it, and would not have on the block before."));
    }
  }

  private static boolean isRevert(String message, String data) {
    return !data.isEmpty()
        || message.contains("revert")
        || message.contains("invalid opcode")
        || message.contains("out of gas")
        || message.contains("OutOfGas");
  }

  private Bytes signed(long nonce, ScheduleId execution, long gasLimit, Fees fees) {
    var to = contract.address().value();
    var data = PlanContractCalls.execute(execution);
    if (legacy) {
      var transaction =
          new LegacyTransaction(contract.chain(), nonce, fees.max(), gasLimit, to, data);
      return transaction.signed(signer.signMessage(transaction.unsigned()));
    }
    var transaction = new FeeMarketTransaction(contract.chain(), nonce, fees, gasLimit, to, data);
    return transaction.signed(signer.signMessage(transaction.unsigned()));
  }

  @Override
  public Hash hash(long nonce, ScheduleId execution, long gasLimit, Fees fees) {
    return Digests.keccak256(signed(nonce, execution, gasLimit, fees));
  }

  @Override
  public CompletionStage<List<Sent>> send(List<ProviderDispatch> dispatches) {
    var requests =
        dispatches.stream()
            .map(
                each ->
                    signed(each.nonce(), each.execution(), each.gasLimit(), each.newest().fees()))
            .map(raw -> Call.of("eth_sendRawTransaction", raw.toHex()))
            .toList();
    return rpc.answers(requests)
        .thenApply(
            answers -> {
              var sent = new ArrayList<Sent>();
              for (int i = 0; i < dispatches.size(); i++) {
                sent.add(sent(dispatches.get(i).nonce(), answers.get(i)));
              }
              return sent;
            });
  }

  private static Sent sent(long nonce, Answer answer) {
    return switch (answer) {
      case Answer.Result ignored -> new Sent(nonce, Pooling.POOLED, "");
      case Answer.Refusal(var code, var words, var data) ->
          new Sent(nonce, pooling(PoolAnswers.meaning(words)), words);
    };
  }

  private static Pooling pooling(PoolAnswers.Meaning meaning) {
    return switch (meaning) {
      case KNOWN -> Pooling.POOLED;
      case NONCE_USED -> Pooling.NONCE_USED;
      case NO_MONEY -> Pooling.NO_MONEY;
      case UNDERPRICED -> Pooling.UNDERPRICED;
      case INVALID -> Pooling.INVALID;
      case FULL, UNCLEAR -> Pooling.LATER;
    };
  }
}
