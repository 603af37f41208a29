package dev.sequitur.sequencer.setup;

import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import java.util.stream.Stream;

/**
 * What a node calls the keys that it signs base-ledger transactions with. They are found by name as
 * those of identities are, so no identity may be called like them: its member would sign
 * endorsements with the key of the node's nonces.
 */
public final class NodeKeyNames {
  private static final String SUBMITTER = "submitter.";
  private static final String DEPLOYER = "deployer.";
  private static final String FUNDING = "funding.";
  private static final String SALTS = "salts.";
  private static final String STORAGE = "storage.";
  private static final String READER = "reader.";

  private NodeKeyNames() {}

  /** One signing key, and so one nonce sequence, for each contract (SUB-2). */
  public static String submitter(ContractAddress contract) {
    return SUBMITTER + contract.value();
  }

  /** One for each group that the node makes, with the one nonce 0. */
  public static String deployer(GroupId group) {
    return DEPLOYER + group.value().toString().substring(2);
  }

  /**
   * One for each change of a group's committee that the node gives to the base ledger, with the one
   * nonce 0. Changes of the same number have different ones: a block may refuse the first.
   *
   * @param change the digest that its members sign
   */
  public static String changer(Hash change) {
    return DEPLOYER + change.toString().substring(2);
  }

  /** The one account that tops up the others. */
  public static String funding() {
    return FUNDING + "account";
  }

  /** Its signatures are what salts of intents are made of; nobody is shown one. */
  public static String salts() {
    return SALTS + "intents";
  }

  /** What records are encrypted by is encrypted by it; it signs nothing. */
  public static String records() {
    return STORAGE + "records";
  }

  /** Signs what the node says of the ledger's checkpoints. */
  public static String checkpoints() {
    return READER + "checkpoints";
  }

  /** Whether an identity is called like one of a node's own keys. */
  public static boolean isTakenBy(Identity identity) {
    return Stream.of(SUBMITTER, DEPLOYER, FUNDING, SALTS, STORAGE, READER)
        .anyMatch(identity.name()::startsWith);
  }

  /** Whether a committee would have a node sign as a member with a key of its own. */
  public static boolean areClaimedBy(Committee committee, NodeName node) {
    return committee.identities().stream()
        .anyMatch(identity -> identity.node().equals(node) && isTakenBy(identity));
  }
}
