package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.client.CallFailure;
import dev.sequitur.client.NodeAccess;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.client.command.schedule.PaymentFile.Payment;
import dev.sequitur.console.ProgressBar;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Sends the payments of a file, many in one exchange, each under its own key: what may have been
 * made though its answer was lost is sent again, and made once. Blocks its caller; confined to one
 * thread.
 */
final class PaymentsSent {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** Looks in a row at a node that takes nothing. */
  private static final int MOST_IN_VAIN = 30;

  /** Its quota is used up, or too much waits in the queue. */
  private static final List<String> LATER = List.of("SQ010014", "SQ020313");

  private final Function<List<Payment>, List<JsonNode>> exchange;
  private final PaymentAnswers answers;
  private final Consumer<Duration> pause;
  private final Queue<Payment> waiting;
  private final int all;
  private int made;
  private int refused;
  private String lastWhy = "";

  /** Where a node has answered once, another try may help. */
  private boolean hasAnswered;

  /**
   * @param exchange sends some payments, and gives their answers in the same order; fails with
   *     {@link CallFailure} if no whole answer came
   * @param all those of the file
   * @param answers what an earlier run has made is not sent again
   */
  PaymentsSent(
      Function<List<Payment>, List<JsonNode>> exchange, List<Payment> all, PaymentAnswers answers) {
    this(exchange, all, answers, time -> LockSupport.parkNanos(time.toNanos()));
  }

  PaymentsSent(
      Function<List<Payment>, List<JsonNode>> exchange,
      List<Payment> all,
      PaymentAnswers answers,
      Consumer<Duration> pause) {
    this.exchange = exchange;
    this.answers = answers;
    this.pause = pause;
    this.all = all.size();
    this.waiting =
        new ArrayDeque<>(all.stream().filter(payment -> !answers.isMade(payment)).toList());
    this.made = all.size() - waiting.size();
  }

  /** Of the file, also by earlier runs. */
  int made() {
    return made;
  }

  /** By the node, in this run. */
  int refused() {
    return refused;
  }

  /**
   * Sends all that are not made.
   *
   * @throws CallFailure if the node takes nothing any more; those that it took have their answers
   */
  void run(ProgressBar progress) {
    for (int inVain = 0; !waiting.isEmpty(); ) {
      int before = waiting.size();
      sendSome();
      inVain = waiting.size() < before ? 0 : inVain + 1;
      progress.update(all - waiting.size(), detail(inVain));
      if (inVain > (hasAnswered ? MOST_IN_VAIN : 0)) {
        throw new CallFailure(
            "%s %d of %d payments are made: run the same again to go on."
                .formatted(lastWhy, made, all));
      } else if (inVain > 0) {
        pause.accept(PAUSE);
      }
    }
  }

  private String detail(int inVain) {
    if (inVain > 0) {
      return "waits, %d of %d s: %s".formatted(inVain, MOST_IN_VAIN, lastWhy);
    }
    return refused == 0 ? "" : refused + " refused";
  }

  private void sendSome() {
    var some = new ArrayList<Payment>();
    while (some.size() < NodeCalls.MOST && !waiting.isEmpty()) {
      some.add(waiting.remove());
    }
    List<JsonNode> said;
    try {
      said = exchange.apply(some);
    } catch (CallFailure e) {
      waiting.addAll(some);
      lastWhy = e.getMessage();
      return;
    }
    hasAnswered = true;
    for (int i = 0; i < some.size(); i++) {
      took(some.get(i), said.get(i));
    }
    answers.flush();
  }

  private void took(Payment payment, JsonNode said) {
    if (!said.has("error")) {
      answers.made(payment, said.at("/result/id").asText());
      made++;
      return;
    }
    var why = NodeAccess.forPeople(said.at("/error/message").asText());
    if (LATER.stream().anyMatch(why::startsWith)) {
      waiting.add(payment);
      lastWhy = why;
    } else {
      answers.refused(payment, why);
      refused++;
    }
  }
}
