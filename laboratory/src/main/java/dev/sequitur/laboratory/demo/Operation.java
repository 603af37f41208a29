package dev.sequitur.laboratory.demo;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;

/**
 * One intent of the demonstration, before its group has a contract.
 *
 * @param key its idempotency key, by which a later start knows it again
 * @param inputs UTF-8 JSON
 */
public record Operation(String key, GroupPlan group, Identity from, String function, Bytes inputs) {

  static Operation mint(String key, GroupPlan group, Identity owner, long amount) {
    return new Operation(key, group, owner, "mint", payment(owner, amount));
  }

  static Operation transfer(String key, GroupPlan group, Identity from, Identity to, long amount) {
    return new Operation(key, group, from, "transfer", payment(to, amount));
  }

  static Operation increment(String key, GroupPlan group, Identity from, String record) {
    return new Operation(
        key, group, from, "increment", Bytes.utf8("{\"key\":\"" + record + "\",\"by\":1}"));
  }

  static Operation set(String key, GroupPlan group, Identity from, String record, String value) {
    return new Operation(
        key,
        group,
        from,
        "set",
        Bytes.utf8("{\"key\":\"" + record + "\",\"value\":\"" + value + "\"}"));
  }

  private static Bytes payment(Identity to, long amount) {
    return Bytes.utf8("{\"to\":\"" + to + "\",\"amount\":\"" + amount + "\"}");
  }
}
