package dev.sequitur.simulation;

/** The machines of one contract on one node. */
record Entities(
    SenderShell sender,
    CoordinatorShell coordinator,
    EndorserShell endorser,
    SubmitterShell submitter,
    StateStoreShell states) {}
