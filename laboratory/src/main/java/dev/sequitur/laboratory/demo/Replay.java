package dev.sequitur.laboratory.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sequitur.laboratory.report.Finding;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * What a group must hold after its confirmed intents, computed without the domain, so that the
 * domain is checked too. Confined to one thread.
 */
sealed interface Replay permits TokenReplay, RecordReplay {
  JsonMapper JSON = new JsonMapper();

  static Replay of(GroupPlan group) {
    return group.domain().equals(GroupPlan.TOKEN)
        ? new TokenReplay(group.name())
        : new RecordReplay(group.name());
  }

  /** The next confirmed intent, in the ledger's order. */
  void apply(PrivateTransaction transaction);

  /**
   * @param standing every state of the contract that is made and not spent
   */
  Finding compare(List<PrivateState> standing);

  static JsonNode json(Bytes content) {
    try {
      return JSON.readTree(content.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
