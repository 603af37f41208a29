package dev.sequitur.protocol.founding;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.exchange.Exchange;
import dev.sequitur.protocol.exchange.Exchanges;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.message.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * Questions to other nodes that belong to no contract, by the Request pattern: resent every half
 * second, given up after ten. The answer may come to another JVM of this node, which passes it on.
 *
 * @param incarnation what the ids of this life begin with; no other life, of no JVM, has the same
 * @param asked how many there were
 * @param open those that have no answer yet
 */
public record Questions(String incarnation, long asked, Exchanges<RequestId> open) {
  /** Between two sends, and how often a machine that asks is to be told to tick. */
  public static final Duration RESEND = Duration.ofMillis(500);

  /** Who has not answered for so long is not waited for. */
  public static final Duration GIVEN_UP = Duration.ofSeconds(10);

  private static final Backoff EVENLY = new Backoff(RESEND, RESEND);

  static Questions none(String incarnation) {
    return new Questions(incarnation, 0, Exchanges.none());
  }

  /** A question that has just been asked. */
  record Asked(RequestId id, Exchange exchange, Questions after) {}

  Asked ask(NodeName node, Function<RequestId, Message> question, Instant now) {
    var id = new RequestId(incarnation + (asked + 1));
    var exchange = Exchange.request(node, question.apply(id), EVENLY, GIVEN_UP, now);
    return new Asked(id, exchange, new Questions(incarnation, asked + 1, open.begin(id, exchange)));
  }

  /** Whether this one waits for an answer of that node. */
  public boolean awaits(NodeName from, RequestId id) {
    return open.get(id).map(Exchange::to).filter(from::equals).isPresent();
  }

  Questions end(RequestId id) {
    return with(open.end(id));
  }

  Questions with(Exchanges<RequestId> rest) {
    return new Questions(incarnation, asked, rest);
  }

  Optional<NodeName> to(RequestId id) {
    return open.get(id).map(Exchange::to);
  }
}
