package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.json.JsonText;
import dev.sequitur.node.rpc.method.ListenerFeed.Row;
import dev.sequitur.node.rpc.method.WebhookSender.Receiver;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.port.NodeStore.Listener;
import java.util.ArrayList;
import java.util.List;

/**
 * A listener that the node sends to by itself, as its store keeps it.
 *
 * @param queue of what happens there
 * @param filters what it is sent, as whoever has written them reads them
 */
public record Webhook(String queue, Receiver receiver, JsonNode filters) {
  /** While two are there, a receiver may know either. */
  private static final int MOST_KEYS = 2;

  public static Webhook of(Listener stored) {
    var json = JsonText.parse(stored.properties().toByteArray());
    var keys = new ArrayList<WebhookKey>();
    json.path("keys").forEach(key -> keys.add(new WebhookKey(key.textValue())));
    return new Webhook(
        json.path("queue").textValue(),
        new Receiver(json.path("url").textValue(), keys),
        json.path("filters"));
  }

  /** As it is stored with the listener. */
  public Bytes toBytes() {
    var json = JsonText.object().put("queue", queue).put("url", receiver.url());
    var keys = json.putArray("keys");
    receiver.keys().forEach(key -> keys.add(key.written()));
    json.set("filters", filters);
    return Bytes.of(JsonText.write(json));
  }

  /** The same, which a new key signs, too: the one before goes on signing, and none before that. */
  public Webhook with(WebhookKey key) {
    var keys = new ArrayList<>(List.of(key));
    keys.addAll(receiver.keys());
    return signedBy(keys.subList(0, Math.min(MOST_KEYS, keys.size())));
  }

  /** The same, which its newest key signs alone. */
  public Webhook withNewestKey() {
    return signedBy(receiver.keys().subList(0, 1));
  }

  private Webhook signedBy(List<WebhookKey> keys) {
    return new Webhook(queue, new Receiver(receiver.url(), keys), filters);
  }

  /**
   * Of an event, each time it is sent.
   *
   * @param number of the row, behind which a listener stands that has taken it
   */
  public String id(long number) {
    return queue + "." + (number - 1);
  }

  /** What is sent of an event. */
  public byte[] body(Row row) {
    ObjectNode json = JsonText.object().put("queue", queue);
    json.set("event", row.json());
    return JsonText.write(json);
  }
}
