package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.json.JsonText;
import dev.sequitur.node.rpc.method.ListenerFeed.Row;
import dev.sequitur.node.rpc.method.WebhookSender.Receiver;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A listener that the node sends to by itself, as its store keeps it: without its keys, which are
 * made of their ids by {@link WebhookSecrets}.
 *
 * @param queue of what happens there
 * @param keys the ids of those that sign, the newest first
 * @param filters what it is sent, as whoever has written them reads them
 */
public record Webhook(String queue, String url, List<String> keys, JsonNode filters) {
  /** While two are there, a receiver may know either. */
  private static final int MOST_KEYS = 2;

  private static final int ID_BYTES = 16;

  public Webhook {
    keys = List.copyOf(keys);
  }

  /** One with a key of its own. */
  public static Webhook fresh(String queue, String url, JsonNode filters) {
    return new Webhook(queue, url, List.of(freshId()), filters);
  }

  public static Webhook of(Listener stored) {
    var json = JsonText.parse(stored.properties().toByteArray());
    var keys = new ArrayList<String>();
    json.path("keys").forEach(key -> keys.add(key.textValue()));
    return new Webhook(
        json.path("queue").textValue(), json.path("url").textValue(), keys, json.path("filters"));
  }

  private static String freshId() {
    var id = new byte[ID_BYTES];
    new SecureRandom().nextBytes(id);
    return HexFormat.of().formatHex(id);
  }

  /** As it is stored with the listener. */
  public Bytes toBytes() {
    var json = JsonText.object().put("queue", queue).put("url", url);
    var ids = json.putArray("keys");
    keys.forEach(ids::add);
    json.set("filters", filters);
    return Bytes.of(JsonText.write(json));
  }

  /** Where it is sent to, and what signs it. */
  public Receiver receiver(WebhookSecrets secrets) {
    return new Receiver(url, keys.stream().map(id -> WebhookKey.of(secrets.of(id))).toList());
  }

  /** The one to tell to whoever has it made. */
  public WebhookKey newestKey(WebhookSecrets secrets) {
    return receiver(secrets).keys().getFirst();
  }

  /** The same, which a new key signs, too: the one before goes on signing, and none before that. */
  public Webhook withAnotherKey() {
    var all = new ArrayList<>(List.of(freshId()));
    all.addAll(keys);
    return signedBy(all.subList(0, Math.min(MOST_KEYS, all.size())));
  }

  /** The same, which its newest key signs alone. */
  public Webhook withNewestKey() {
    return signedBy(keys.subList(0, 1));
  }

  private Webhook signedBy(List<String> ids) {
    return new Webhook(queue, url, ids, filters);
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
