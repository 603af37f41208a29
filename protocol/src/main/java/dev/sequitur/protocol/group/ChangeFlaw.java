package dev.sequitur.protocol.group;

/** Why the ledger does not take a change of a committee (CMT-3). */
public enum ChangeFlaw {
  CONTRACT_UNKNOWN("There is no such contract."),
  NUMBER_NOT_NEXT("Its number is not that of the group's next change."),
  SECOND_IN_BLOCK("Another change of the same group stands in the same block."),
  TOO_LATE("The last block in which the committee before counts is over."),
  TOO_MANY_MEMBERS(
      "It has more than " + CommitteeChange.MOST_MEMBERS + " members, which is the most."),
  KEY_TWICE("Two of its members have one key."),
  NOBODY_STAYS("None of its members was there before."),
  TOO_FEW_SIGNED("Fewer members of the committee before it have signed than must."),
  NEW_KEY_UNSIGNED("A key that is new in it has not signed.");

  private final String sentence;

  ChangeFlaw(String sentence) {
    this.sentence = sentence;
  }

  /** What a caller is told. */
  public String sentence() {
    return sentence;
  }
}
