package dev.sequitur.client.command.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.client.CallFailure;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.client.command.schedule.PaymentFile.Payment;
import dev.sequitur.console.RecordedConsole;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is sent again to a node that takes nothing for a while. */
class PaymentsSentTest {
  private static final int ALL = 1_200;

  private final List<Payment> payments =
      IntStream.rangeClosed(1, ALL)
          .mapToObj(
              row -> new Payment(row, "a", "b", "1", "2030-01-01T00:00:00Z", "skip", "k" + row))
          .toList();
  private final List<Duration> pauses = new ArrayList<>();
  private final List<Integer> sizes = new ArrayList<>();

  @TempDir private Path folder;

  private PaymentsSent run(Function<Payment, JsonNode> answer) {
    try (var answers = new PaymentAnswers(folder.resolve("answers"), Instant.EPOCH);
        var progress = new RecordedConsole().console().progress("Payments", ALL)) {
      var sent =
          new PaymentsSent(
              some -> {
                sizes.add(some.size());
                return some.stream().map(answer).toList();
              },
              payments,
              answers,
              pauses::add);
      sent.run(progress);
      return sent;
    }
  }

  private static JsonNode made(Payment payment) {
    var answer = NodeCalls.JSON.createObjectNode();
    answer.putObject("result").put("id", "gas-priority:" + payment.row());
    return answer;
  }

  private static JsonNode refused(String why) {
    var answer = NodeCalls.JSON.createObjectNode();
    answer.putObject("error").put("message", why);
    return answer;
  }

  @Test
  void whatTheQueueHasNoRoomForIsSentAgainAfterAPause() {
    var times = new int[1];

    var sent =
        run(
            payment ->
                times[0]++ < 2 * NodeCalls.MOST
                    ? refused("SQ020313: Too much waits.")
                    : made(payment));

    assertThat(sent.made()).isEqualTo(ALL);
    assertThat(sent.refused()).isZero();
    assertThat(pauses).hasSize(2);
    assertThat(sizes).startsWith(NodeCalls.MOST, NodeCalls.MOST, NodeCalls.MOST);
  }

  @Test
  void anExchangeWhoseAnswerIsLostIsSentAgain() {
    var times = new int[1];

    var sent =
        run(
            payment -> {
              if (times[0]++ == NodeCalls.MOST) {
                throw new CallFailure("The connection broke off.");
              }
              return made(payment);
            });

    assertThat(sent.made()).isEqualTo(ALL);
    assertThat(pauses).hasSize(1);
  }

  @Test
  void aNodeThatTakesNothingAnyMoreIsNotAskedForEver() {
    assertThatThrownBy(
            () ->
                run(
                    payment ->
                        payment.row() <= NodeCalls.MOST
                            ? made(payment)
                            : refused("SQ010014: a has made as many requests as it may.")))
        .isInstanceOf(CallFailure.class)
        .hasMessage(
            "SQ010014: a has made as many requests as it may. 500 of 1200 payments are made: run"
                + " the same again to go on.");
    assertThat(pauses).hasSize(30);

    assertThat(run(PaymentsSentTest::made).made()).isEqualTo(ALL);
  }
}
