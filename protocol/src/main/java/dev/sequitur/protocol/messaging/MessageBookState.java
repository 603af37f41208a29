package dev.sequitur.protocol.messaging;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.exchange.Exchanges;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.messaging.DeliveryTable.DeliveryState;
import dev.sequitur.protocol.trie.HashTrie;
import java.util.List;
import java.util.Map;
import org.pcollections.PMap;

/**
 * How far the messages of a group are on one node. Only what receivers have acknowledged follows
 * from its events; how many messages there are follows from those that are kept (MSG-1).
 *
 * @param numbers of the messages that this node has sent to the group
 * @param received of each other node, the number up to which its messages are here
 * @param acknowledged by each other node, the number up to which it has those of this node
 * @param deliveries how they are with each other node; those up to date are left out
 * @param exchanges what is on its way, by receiver
 */
@Copyable
public record MessageBookState(
    WrittenNumbers numbers,
    PMap<NodeName, Long> received,
    PMap<NodeName, Long> acknowledged,
    PMap<NodeName, DeliveryState> deliveries,
    Exchanges<NodeName> exchanges)
    implements MessageBookStateBuilder.With {

  public static MessageBookState initial() {
    return new MessageBookState(
        WrittenNumbers.none(),
        HashTrie.empty(),
        HashTrie.empty(),
        HashTrie.empty(),
        Exchanges.none());
  }

  /** Nothing is owed to anybody. */
  public boolean isIdle() {
    return deliveries.isEmpty();
  }

  /** The number of the newest message of this node; 0 if there is none. */
  public long written() {
    return numbers.last();
  }

  /** How many messages wait for a receiver; of more than may wait no more are counted. */
  int waitingFor(NodeName node) {
    return numbers.above(acknowledgedBy(node));
  }

  public long receivedFrom(NodeName node) {
    return received.getOrDefault(node, 0L);
  }

  public long acknowledgedBy(NodeName node) {
    return acknowledged.getOrDefault(node, 0L);
  }

  public DeliveryState deliveryTo(NodeName node) {
    return deliveries.getOrDefault(node, DeliveryState.UP_TO_DATE);
  }

  /**
   * As the messages say that are kept, of this node and of the others.
   *
   * @param written the numbers of this node's newest ones, ascending
   */
  public MessageBookState found(NodeName self, Map<NodeName, Long> newest, List<Long> written) {
    var others = HashTrie.from(newest).minus(self);
    return with().numbers(WrittenNumbers.found(written)).received(others).build();
  }

  MessageBookState delivering(NodeName to, DeliveryState stands) {
    return withDeliveries(
        stands == DeliveryState.UP_TO_DATE ? deliveries.minus(to) : deliveries.plus(to, stands));
  }
}
