package dev.sequitur.laboratory.demo.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Four want the same tenth of a second, and a block runs two. */
final class GasPriorityStory implements Story {
  /** What each offers for a unit of gas. */
  private static final Map<String, Long> BIDS = bids();

  private static final long FUNDS = 1_000;
  private static final long SECONDS_AHEAD = 4;

  /** An action in the queue uses as much. */
  private static final long GAS = 10;

  private static Map<String, Long> bids() {
    var bids = new LinkedHashMap<String, Long>();
    bids.put("ann", 3L);
    bids.put("bea", 9L);
    bids.put("cyd", 5L);
    bids.put("dov", 7L);
    return bids;
  }

  @Override
  public String title() {
    return "Gas priority: four outbid each other for one tick, and a block runs two";
  }

  @Override
  public void tell(Stage stage, Findings findings) {
    var node = stage.node(1);
    var at = Instant.now().plusSeconds(SECONDS_AHEAD).truncatedTo(ChronoUnit.MILLIS);
    var ids = new LinkedHashMap<String, String>();
    BIDS.forEach(
        (bidder, price) -> {
          node.fund(bidder, FUNDS);
          var inserted =
              node.call(
                  "gasPriority_insert",
                  "[{'senderAddr':'%s','scheduledTimeMs':'%s','maxGasAmount':'100',"
                      + "'maxGasUnitPrice':'%d','target':{'type':'transfer','to':'shop','amount':'1'}}]",
                  bidder,
                  at,
                  price);
          ids.put(bidder, inserted.get("id").asText());
        });
    var forecast = node.call("schedule_forecast", "[{'family':'gas-priority','at':'%s'}]", at);
    stage.say(
        "%d wait for %s; who comes now must offer %s for a place in the first block",
        forecast.get("taken").asInt(), at, forecast.get("price").asText());
    var run = new LinkedHashMap<String, JsonNode>();
    ids.forEach((bidder, id) -> run.put(bidder, node.outcomes(id, 1)));
    run.forEach(
        (bidder, history) ->
            findings.occurrences(bidder + "'s bid", ids.get(bidder), history, 1, Set.of("run")));
    var order = order(run);
    stage.say("They ran in this order: %s", String.join(", ", order));
    findings.check(
        Set.copyOf(order.subList(0, 2)).equals(Set.of("bea", "dov")),
        "the two highest bids ran before the others: %s",
        String.join(", ", order));
    checkMoney(node, findings);
  }

  private static List<String> order(Map<String, JsonNode> run) {
    var order = new ArrayList<>(run.keySet());
    order.sort(
        Comparator.comparing(
            (String bidder) -> Long.parseLong(run.get(bidder).at("/0/atNs").asText())));
    return order;
  }

  /** Each pays the lesser of its own offer and the highest other of its block: 7 and 7, 3 and 3. */
  private static void checkMoney(StoryNode node, Findings findings) {
    findings.equal("bea, who offered 9, has", FUNDS - 1 - 7 * GAS, node.balance("bea"));
    findings.equal("dov, who offered 7, has", FUNDS - 1 - 7 * GAS, node.balance("dov"));
    findings.equal("cyd, who offered 5, has", FUNDS - 1 - 3 * GAS, node.balance("cyd"));
    findings.equal("ann, who offered 3, has", FUNDS - 1 - 3 * GAS, node.balance("ann"));
    findings.equal("the shop got", (long) BIDS.size(), node.balance("shop"));
  }
}
