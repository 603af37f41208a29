package dev.sequitur.sequencer.runtime;

import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.transaction.NewGroup;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.PublicTransaction;
import java.util.ArrayList;
import java.util.List;

/** What intents of a batch ask for, told apart once; each kind in the order of the batch. */
record IntentKinds(
    List<PrivateTransaction> privates, List<PublicTransaction> publics, List<NewGroup> newGroups) {

  static IntentKinds of(List<Intent> batch) {
    var kinds = new IntentKinds(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (var intent : batch) {
      switch (intent.transaction()) {
        case PrivateTransaction it -> kinds.privates.add(it);
        case PublicTransaction it -> kinds.publics.add(it);
        case NewGroup it -> kinds.newGroups.add(it);
      }
    }
    return kinds;
  }
}
