package dev.sequitur.simulation;

/** Everything that a run lets go wrong; counted when it happens, not when it is planned. */
public enum Fault {
  MESSAGE_LOST("messages lost"),
  MESSAGE_DOUBLED("messages doubled"),
  MESSAGE_DELAYED("messages delayed, and so overtaken"),
  LOCAL_MESSAGE_LOST("messages lost between the actors of a node"),
  HEARTBEAT_MISSED("heartbeats missed"),
  ENDORSER_SLOW("endorsements answered slowly"),
  ENDORSEMENT_REFUSED("endorsements refused"),
  PARTITION_ONE_WAY("partitions, one way"),
  PARTITION_BOTH_WAYS("partitions, both ways"),
  MEMBER_LIES("lies of a dishonest member"),
  STRANGER_SENDS("copies and forgeries that a stranger sends to the ledger"),
  CRASH("crashes at any time"),
  CRASH_1S("crashes at 1S, before the intent is committed"),
  CRASH_2S("crashes at 2S, the intent is committed"),
  CRASH_3S("crashes at 3S, the delegation has left"),
  CRASH_4S("crashes at 4S, the assembly has left"),
  CRASH_5S("crashes at 5S, leave to dispatch has left"),
  CRASH_6S("crashes at 6S, before a block is known"),
  CRASH_1C("crashes at 1C, before a dispatch is committed"),
  CRASH_2C("crashes at 2C, a dispatch is committed"),
  CRASH_SCHEDULING("crashes before or after a write of a schedule queue"),
  CRASH_WRITING("crashes before or after any other write"),
  CRASH_SENDING("crashes after any other message"),
  SUBMITTER_GONE_BEFORE("submitters gone before they submit"),
  SUBMITTER_GONE_AFTER("submitters gone after they submitted"),
  CLOCK_SKEWED("clocks set wrong"),
  TRANSITION_DROPPED("blocks that a state store is not told of"),
  BLOCKS_LATE("nodes that see blocks late"),
  BLOCKS_STOPPED("nodes that see no more blocks for a while"),
  CALLER_LATE("callers that submit late what was prepared"),
  CRASH_PAYING("crashes after money was sent to a key and before the pool has answered"),
  PAID_UNANSWERED("transfers for gas that nobody answered, in the pool or not"),
  JVM_DIED("JVMs that died while others of their node went on"),
  JVM_LEFT_OUT("JVMs that were left out and did not know it"),
  JVM_JOINED("JVMs that joined others of their node"),
  ENTITIES_MOVED("moves of a contract's entities to another JVM, what they are told held back"),
  WRITE_REFUSED("writes of JVMs that were left out, refused"),
  ENTITY_TWICE("entities that ended since another JVM's had written before them"),
  SENDER_MOVED("moves of senders to another JVM of their node"),
  ACCEPTANCE_FAILED("failures of the store as it accepts, with the intent stored or not"),
  KEEPER_MOVED("moves of whoever sees to the money for gas to another JVM"),
  ACCOUNT_EMPTY("keys that waited for gas money that the funding account did not have"),
  KEY_WITHOUT_MONEY("keys without money for gas, for a while"),
  LEDGER_UNREACHABLE("nodes cut off from the ledger"),
  LEDGER_LINK_DEAD("nodes whose link to the ledger is dead for long, whatever else they do"),
  LEDGER_CONGESTED("congestions of the ledger"),
  POOL_LOST("losses of what the pool had taken"),
  BATCH_REFUSED("batches refused by the pool"),
  LEDGER_REVERT("reverts by the ledger"),
  CALL_OUT_OF_GAS("calls of several that used up their gas"),
  REORGANISATION("reorganisations"),
  FORGOTTEN("nodes that forgot what had ended, while all else went on"),
  SET_BACK("nodes that were set back to an older copy of their records"),
  MEMBER_REMOVED("members that were removed from a committee, whose nodes went on"),
  MEMBER_RETURNED("members that were removed and added again, with the key of before or another");

  private final String words;

  Fault(String words) {
    this.words = words;
  }

  /** In the plural, for people. */
  public String words() {
    return words;
  }
}
