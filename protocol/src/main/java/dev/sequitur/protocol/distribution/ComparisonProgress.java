package dev.sequitur.protocol.distribution;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How far comparing a group with the whole ledger is, and what it has found (DST-9).
 *
 * @param rebuild whether what differs is to be made what the ledger shows (DST-11)
 * @param from the first block that is compared
 * @param upTo the last one that was
 * @param since the first block that shows what this node does not hold, or holds otherwise
 * @param lacking states that are unspent on the ledger and not held
 * @param spent states that are held, though the ledger shows them as spent
 * @param unknown states that are held and that no block has made
 * @param outcomes fulfilled intents of this node that have no such outcome here
 * @param reason why it has ended early
 * @param contents of states that are held by their ids alone, once it has come to the end: they
 *     differ from nothing that the ledger shows, and nothing can be read of them
 */
public record ComparisonProgress(
    ContractAddress contract,
    Status status,
    boolean rebuild,
    BlockHeight from,
    BlockHeight upTo,
    Optional<BlockHeight> since,
    long lacking,
    long spent,
    long unknown,
    long outcomes,
    Optional<String> reason,
    Optional<Lacking> contents) {
  /** How far it is. */
  public enum Status {
    RUNNING,
    /** It has come to the end, and what this node holds is what the ledger shows. */
    SAME,
    /** It has come to the end, and something differs. */
    DIFFERENT,
    /** What differed is now what the ledger shows. */
    REBUILT,
    /** It has ended before the end. */
    FAILED
  }

  public static ComparisonProgress failed(
      ContractAddress contract, boolean rebuild, String reason) {
    return new ComparisonProgress(
        contract,
        Status.FAILED,
        rebuild,
        BlockHeight.ZERO,
        BlockHeight.ZERO,
        Optional.empty(),
        0,
        0,
        0,
        0,
        Optional.of(reason),
        Optional.empty());
  }

  /** The same, with what its node lacks of contents. */
  public ComparisonProgress lackingContents(Optional<Lacking> lacking) {
    return new ComparisonProgress(
        contract,
        status,
        rebuild,
        from,
        upTo,
        since,
        this.lacking,
        spent,
        unknown,
        outcomes,
        reason,
        lacking);
  }

  /** For a person: how far it is, what differs, and what to do. */
  public String sentence() {
    return switch (status) {
      case RUNNING -> "Compared up to block " + upTo + " so far." + found();
      case SAME ->
          "What this node holds of the group is what blocks "
              + from
              + " to "
              + upTo
              + " show."
              + withoutContents();
      case DIFFERENT ->
          "Compared up to block " + upTo + "." + found() + whatToDo() + withoutContents();
      case REBUILT ->
          "What this node holds of the group was made what the ledger shows up to block "
              + upTo
              + "."
              + found()
              + (contents.isPresent()
                  ? withoutContents()
                  : " Contents that are not here are asked for from the other members.");
      case FAILED -> "It has ended early: " + reason.orElse("for no known reason.");
    };
  }

  /** How many, and how they are got. */
  private String withoutContents() {
    return contents
        .map(
            lacking ->
                " "
                    + lacking.sentence()
                    + (lacking.others().isEmpty()
                        ? " Restore a backup of this node that has them."
                        : " They come without more ado once a member that has them answers; if all"
                            + " have answered without them, restore a backup of a node that had"
                            + " them."))
        .orElse("");
  }

  private String found() {
    var found = new ArrayList<String>();
    add(found, lacking, "not held though unspent on the ledger");
    add(found, spent, "held though spent on the ledger");
    add(found, unknown, "held though no block has made it");
    if (outcomes > 0) {
      found.add("outcomes of own transactions lacking: " + outcomes);
    }
    if (found.isEmpty()) {
      return since
          .map(block -> " Since block " + block + " it differs.")
          .orElse(" No difference was found.");
    }
    return since.map(block -> " Since block " + block + " it differs; ").orElse(" It differs; ")
        + String.join(", ", found)
        + ".";
  }

  private static void add(List<String> found, long states, String how) {
    if (states > 0) {
      found.add("states " + how + ": " + states);
    }
  }

  private String whatToDo() {
    if (unknown > 0 && rebuild) {
      return " The ledger cannot give back what it never had: restore a backup from before it differed.";
    }
    return " `sequitur compare-ledger %s --rebuild` makes it what the ledger shows."
        .formatted(contract);
  }
}
