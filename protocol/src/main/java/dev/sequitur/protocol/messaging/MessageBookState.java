package dev.sequitur.protocol.messaging;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.exchange.Exchanges;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.messaging.DeliveryTable.DeliveryState;
import dev.sequitur.protocol.messaging.MessageBookEvent.Welcomed;
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
 * @param welcomed of other nodes that have come into the group, with which change, and what is not
 *     for them
 * @param deliveries how they are with each other node; those up to date are left out
 * @param exchanges what is on its way, by receiver
 */
@Copyable
public record MessageBookState(
    WrittenNumbers numbers,
    PMap<NodeName, Long> received,
    PMap<NodeName, Long> acknowledged,
    PMap<NodeName, Welcomed> welcomed,
    PMap<NodeName, DeliveryState> deliveries,
    Exchanges<NodeName> exchanges)
    implements MessageBookStateBuilder.With {

  public static MessageBookState initial() {
    return new MessageBookState(
        WrittenNumbers.none(),
        HashTrie.empty(),
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
    return numbers.above(sentUpTo(node));
  }

  /** Of messages up to this number a node needs none: it has them, or they are not for it. */
  public long sentUpTo(NodeName node) {
    return Math.max(acknowledgedBy(node), beginsAfter(node));
  }

  /** Messages of this node up to this number are not for that one (MSG-10). */
  public long beginsAfter(NodeName node) {
    return welcomed.containsKey(node) ? welcomed.get(node).after() : 0;
  }

  public MessageBookState welcoming(Welcomed fresh) {
    return withWelcomed(welcomed.plus(fresh.node(), fresh));
  }

  /** The number of the change with which a node came that was welcomed; 0 for the first ones. */
  int welcomedWith(NodeName node) {
    return welcomed.containsKey(node) ? welcomed.get(node).change() : 0;
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
