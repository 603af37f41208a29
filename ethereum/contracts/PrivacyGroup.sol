// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title The contract of a privacy group: which of its states are unspent, which intents are fulfilled.
/// @notice Each group is a minimal proxy of one implementation. Its committee, its threshold and the hash of its genesis
/// stand in the proxy's code, behind the 45 bytes of ERC-1167, and never change: 32 bytes genesis, 1 byte threshold, 1 byte
/// number of members, 20 bytes for each member. There is no owner, no initialiser and no upgrade.
contract PrivacyGroup {
    /// @notice What became of each transition of a call, one byte each, in the order of the call: a {Outcome}.
    event Transitions(bytes outcomes);

    /// @dev The order of the checks is that of the embedded ledger; what is last is checked last.
    enum Outcome {
        FULFILLED,
        INTENT_FULFILLED,
        STATE_UNAVAILABLE, // an input or a read was never made, or is spent: what is spent is cleared
        STATE_EXISTS,
        ENDORSEMENT_INVALID
    }

    /// @notice The call is not laid out as {fulfill} says. Nothing is changed, and only its sender pays for it.
    error Malformed();

    /// @notice The implementation has no committee: call a group that {PrivacyGroupFactory} has made.
    error NoGroup();

    /// @notice Another contract has called. Members read what was fulfilled from the data of transactions.
    error CalledByContract();

    /// @dev ERC-1167
    uint256 private constant PROXY_SIZE = 45;

    bytes32 private constant DOMAIN_TYPE =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant NAME = keccak256("Sequitur");
    bytes32 private constant VERSION = keccak256("1");
    bytes32 private constant ENDORSEMENT_TYPE = keccak256("Endorsement(bytes32 root,uint32 size)");
    bytes32 private constant TRANSITION_TYPE =
        keccak256(
            "Transition(bytes16 transaction,bytes32 commitment,bytes32[] inputs,bytes32[] reads,bytes32[] outputs)"
        );

    /// @dev Half of the order of secp256k1: a signature with a higher s is the other one of two.
    uint256 private constant MOST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    address private immutable implementation = address(this);

    /// @dev The one slot of an intent or a state is keccak256 of a first byte that says which, and what it is.
    bytes1 private constant INTENT = "i";
    bytes1 private constant STATE = "s";

    /// @dev A part of a call's data: where reading goes on.
    struct Reader {
        uint256 offset;
        uint256 end;
    }

    /// @dev One transition of a call: where its parts stand in the call's data.
    struct Transition {
        bytes32 intent; // its slot
        bytes32 leaf;
        uint256 inputs;
        uint256 inputCount;
        uint256 reads;
        uint256 readCount;
        uint256 outputs;
        uint256 outputCount;
    }

    /// @notice The hash of the genesis, the threshold and the committee of this group.
    function terms() external view returns (bytes32 genesis, uint256 threshold, address[] memory committee) {
        bytes memory code = readTerms();
        assembly ("memory-safe") {
            genesis := mload(add(code, 32))
        }
        threshold = uint8(code[32]);
        committee = new address[](uint8(code[33]));
        for (uint256 i = 0; i < committee.length; i++) {
            committee[i] = member(code, i);
        }
    }

    /// @notice Whether a state was made and is not spent.
    function isUnspent(bytes32 state) external view returns (bool) {
        return load(slotOf(STATE, state)) != 0;
    }

    /// @notice Whether an intent has been fulfilled.
    function isFulfilled(bytes16 transaction, bytes32 commitment) external view returns (bool) {
        return load(slotOfIntent(transaction, commitment)) != 0;
    }

    /// @notice Fulfils transitions, each by itself, in their order; {Transitions} tells what became of each.
    /// @param groups One group after the other, each of transitions that were endorsed by the same signatures. Numbers are
    /// big-endian and nothing stands between them:
    ///
    ///     group:      u8 signatures, signature..., u32 size of the tree, u16 transitions, transition...
    ///     signature:  u8 place of its member in the committee, higher than that of the one before; r, s, v: 65 bytes
    ///     transition: 16 bytes id, 32 bytes commitment, states (inputs), states (reads), states (outputs), path
    ///     states:     u16 number, 32 bytes each
    ///     path:       nothing, if the group has all leaves of its tree, in their order;
    ///                 else u32 place of the leaf, u8 siblings, 32 bytes each, from the leaf upwards
    function fulfill(bytes calldata groups) external {
        if (address(this) == implementation) revert NoGroup();
        if (msg.sender != tx.origin) revert CalledByContract();
        bytes memory code = readTerms();
        bytes memory outcomes;
        Reader memory reader;
        assembly ("memory-safe") {
            mstore(reader, groups.offset)
            mstore(add(reader, 32), add(groups.offset, groups.length))
        }
        while (reader.offset < reader.end) {
            outcomes = bytes.concat(outcomes, fulfillGroup(code, reader));
        }
        emit Transitions(outcomes);
    }

    function fulfillGroup(bytes memory code, Reader memory reader) private returns (bytes memory outcomes) {
        uint256 signatures = reader.offset;
        uint256 signatureCount = number(reader, 1);
        skip(reader, 66 * signatureCount);
        uint256 size = number(reader, 4);
        uint256 count = number(reader, 2);
        if (count == 0 || count > size) revert Malformed();
        Transition[] memory transitions = new Transition[](count);
        bytes32[] memory roots = new bytes32[](count);
        for (uint256 i = 0; i < count; i++) {
            Transition memory transition = transitions[i];
            read(reader, transition);
            roots[i] = count == size ? transition.leaf : rootByPath(reader, transition.leaf, size);
        }
        bytes32 root = count == size ? rootOf(roots) : roots[0];
        bool endorsed = isEndorsed(code, signatures, root, size);
        outcomes = new bytes(count);
        for (uint256 i = 0; i < count; i++) {
            bool proven = endorsed && (count == size || roots[i] == root);
            outcomes[i] = bytes1(uint8(fulfillOne(transitions[i], proven)));
        }
    }

    /// @dev All checks come before the first change. What stands twice in one list is found while it is changed, and then
    /// all changes are taken back.
    function fulfillOne(Transition memory transition, bool endorsed) private returns (Outcome) {
        if (load(transition.intent) != 0) return Outcome.INTENT_FULFILLED;
        if (!allAre(transition.inputs, transition.inputCount, 1)) return Outcome.STATE_UNAVAILABLE;
        if (!allAre(transition.reads, transition.readCount, 1)) return Outcome.STATE_UNAVAILABLE;
        if (!allAre(transition.outputs, transition.outputCount, 0)) return Outcome.STATE_EXISTS;
        if (!endorsed) return Outcome.ENDORSEMENT_INVALID;
        uint256 cleared = change(transition.inputs, transition.inputCount, 0);
        if (cleared < transition.inputCount) {
            change(transition.inputs, cleared, 1);
            return Outcome.STATE_UNAVAILABLE;
        }
        uint256 made = change(transition.outputs, transition.outputCount, 1);
        if (made < transition.outputCount) {
            change(transition.outputs, made, 0);
            change(transition.inputs, transition.inputCount, 1);
            return Outcome.STATE_EXISTS;
        }
        store(transition.intent, 1);
        return Outcome.FULFILLED;
    }

    /// @dev Whether all states that stand there have that value.
    function allAre(uint256 offset, uint256 count, uint256 value) private view returns (bool) {
        for (uint256 end = offset + 32 * count; offset < end; offset += 32) {
            if (load(slotOf(STATE, word(offset))) != value) return false;
        }
        return true;
    }

    /// @return changed How many were changed: it ends before the first that has the value already.
    function change(uint256 offset, uint256 count, uint256 value) private returns (uint256 changed) {
        for (; changed < count; changed++) {
            bytes32 slot = slotOf(STATE, word(offset + 32 * changed));
            if (load(slot) == value) return changed;
            store(slot, value);
        }
    }

    /// @dev Reads all of a transition but its path.
    function read(Reader memory reader, Transition memory transition) private pure {
        uint256 offset = reader.offset;
        skip(reader, 48);
        transition.intent = slotOfIntent(bytes16(word(offset)), word(offset + 16));
        (transition.inputs, transition.inputCount) = states(reader);
        (transition.reads, transition.readCount) = states(reader);
        (transition.outputs, transition.outputCount) = states(reader);
        transition.leaf = leaf(offset, transition);
    }

    function states(Reader memory reader) private pure returns (uint256 offset, uint256 count) {
        count = number(reader, 2);
        offset = reader.offset;
        skip(reader, 32 * count);
    }

    /// @dev The hash of 0x00 and the EIP-712 hash of the transition whose id and commitment stand there.
    function leaf(uint256 offset, Transition memory transition) private pure returns (bytes32) {
        bytes32 inputs = hashOf(transition.inputs, transition.inputCount);
        bytes32 reads = hashOf(transition.reads, transition.readCount);
        bytes32 outputs = hashOf(transition.outputs, transition.outputCount);
        bytes32 digest =
            keccak256(abi.encode(TRANSITION_TYPE, bytes16(word(offset)), word(offset + 16), inputs, reads, outputs));
        return keccak256(abi.encodePacked(bytes1(0x00), digest));
    }

    function hashOf(uint256 offset, uint256 count) private pure returns (bytes32 hash) {
        assembly ("memory-safe") {
            let free := mload(0x40)
            let length := mul(32, count)
            calldatacopy(free, offset, length)
            hash := keccak256(free, length)
        }
    }

    function inner(bytes32 left, bytes32 right) private pure returns (bytes32 hash) {
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore8(free, 1)
            mstore(add(free, 1), left)
            mstore(add(free, 33), right)
            hash := keccak256(free, 65)
        }
    }

    /// @dev Of all leaves, level by level; one that has no neighbour goes up as it is, which is the tree of RFC 9162.
    function rootOf(bytes32[] memory nodes) private pure returns (bytes32) {
        uint256 count = nodes.length;
        while (count > 1) {
            uint256 above = 0;
            for (uint256 i = 0; i + 1 < count; i += 2) {
                nodes[above++] = inner(nodes[i], nodes[i + 1]);
            }
            if (count % 2 == 1) {
                nodes[above++] = nodes[count - 1];
            }
            count = above;
        }
        return nodes[0];
    }

    /// @dev Section 2.1.3.2 of RFC 9162. A path that is too long or too short leads to no root.
    function rootByPath(Reader memory reader, bytes32 node, uint256 size) private pure returns (bytes32) {
        uint256 place = number(reader, 4);
        uint256 count = number(reader, 1);
        uint256 offset = reader.offset;
        skip(reader, 32 * count);
        if (place >= size) return 0;
        uint256 last = size - 1;
        for (uint256 i = 0; i < count; i++) {
            if (last == 0) return 0;
            bytes32 sibling = word(offset + 32 * i);
            if (place % 2 == 1 || place == last) {
                node = inner(sibling, node);
                while (place % 2 == 0 && place != 0) {
                    place >>= 1;
                    last >>= 1;
                }
            } else {
                node = inner(node, sibling);
            }
            place >>= 1;
            last >>= 1;
        }
        return last == 0 ? node : bytes32(0);
    }

    /// @dev Whether enough different members have signed. A signature that is not a member's counts for nothing.
    function isEndorsed(bytes memory code, uint256 offset, bytes32 root, uint256 size) private view returns (bool) {
        bytes32 digest = digestOf(root, size);
        uint256 signatures = uint8(bytes1(word(offset)));
        uint256 missing = uint8(code[32]);
        uint256 next = 0; // the lowest place that may still sign
        offset += 1;
        for (uint256 i = 0; i < signatures && missing > 0; i++) {
            uint256 place = uint8(bytes1(word(offset)));
            if (place < next || place >= uint8(code[33])) return false;
            next = place + 1;
            if (signerOf(digest, offset + 1) == member(code, place)) missing--;
            offset += 66;
        }
        return missing == 0;
    }

    function digestOf(bytes32 root, uint256 size) private view returns (bytes32) {
        bytes32 message = keccak256(abi.encode(ENDORSEMENT_TYPE, root, size));
        bytes32 domain = keccak256(abi.encode(DOMAIN_TYPE, NAME, VERSION, block.chainid, address(this)));
        return keccak256(abi.encodePacked(bytes2(0x1901), domain, message));
    }

    /// @dev Zero if it is no signature; no member has that address.
    function signerOf(bytes32 digest, uint256 offset) private pure returns (address) {
        bytes32 s = word(offset + 32);
        uint8 v = uint8(bytes1(word(offset + 64)));
        return uint256(s) <= MOST_S && (v == 27 || v == 28) ? ecrecover(digest, v, word(offset), s) : address(0);
    }

    function member(bytes memory code, uint256 place) private pure returns (address found) {
        assembly ("memory-safe") {
            found := shr(96, mload(add(code, add(66, mul(20, place)))))
        }
    }

    /// @dev What stands in the code of this group's proxy.
    function readTerms() private view returns (bytes memory code) {
        assembly ("memory-safe") {
            let size := sub(extcodesize(address()), PROXY_SIZE)
            code := mload(0x40)
            mstore(code, size)
            extcodecopy(address(), add(code, 32), PROXY_SIZE, size)
            mstore(0x40, and(add(add(code, size), 63), not(31)))
        }
    }

    /// @dev A number of so many bytes, at most 32.
    function number(Reader memory reader, uint256 length) private pure returns (uint256 value) {
        value = uint256(word(reader.offset)) >> (256 - 8 * length);
        skip(reader, length);
    }

    function skip(Reader memory reader, uint256 length) private pure {
        reader.offset += length;
        if (reader.offset > reader.end) revert Malformed();
    }

    function word(uint256 offset) private pure returns (bytes32 value) {
        assembly ("memory-safe") {
            value := calldataload(offset)
        }
    }

    function slotOf(bytes1 kind, bytes32 id) private pure returns (bytes32 slot) {
        assembly ("memory-safe") {
            mstore(0, kind)
            mstore(1, id)
            slot := keccak256(0, 33)
        }
    }

    function slotOfIntent(bytes16 transaction, bytes32 commitment) private pure returns (bytes32 slot) {
        assembly ("memory-safe") {
            mstore(0, INTENT)
            mstore(1, transaction)
            mstore(17, commitment)
            slot := keccak256(0, 49)
        }
    }

    function load(bytes32 slot) private view returns (uint256 value) {
        assembly ("memory-safe") {
            value := sload(slot)
        }
    }

    function store(bytes32 slot, uint256 value) private {
        assembly ("memory-safe") {
            sstore(slot, value)
        }
    }
}
