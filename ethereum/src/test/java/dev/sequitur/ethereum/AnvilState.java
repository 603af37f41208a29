package dev.sequitur.ethereum;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.HashMap;

/** The file in which anvil keeps its chain. */
final class AnvilState {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private AnvilState() {}

  /**
   * Whether it is whole and of one moment: blocks hold all the transactions that it tells of, and
   * of each account as many as it has used nonces.
   */
  static boolean isInOrder(String written) {
    JsonNode state;
    try {
      state = JSON.readTree(written);
    } catch (JsonProcessingException e) {
      return false;
    }
    return state.isObject() && blocksHoldAll(state) && noncesAreThoseOfBlocks(state);
  }

  private static boolean blocksHoldAll(JsonNode state) {
    int held = 0;
    for (var block : state.path("blocks")) {
      held += block.path("transactions").size();
    }
    return held == state.path("transactions").size();
  }

  private static boolean noncesAreThoseOfBlocks(JsonNode state) {
    var sent = new HashMap<String, Long>();
    for (var transaction : state.path("transactions")) {
      sent.merge(transaction.at("/info/from").asText(), 1L, Long::sum);
    }
    return state.path("accounts").properties().stream()
        // The nonce of a contract counts what it has made.
        .filter(account -> account.getValue().path("code").asText().equals("0x"))
        .allMatch(
            account ->
                account.getValue().path("nonce").asLong()
                    == sent.getOrDefault(account.getKey(), 0L));
  }
}
