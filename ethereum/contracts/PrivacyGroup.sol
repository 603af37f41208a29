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

    /// @notice Another contract has called, or an account with code of its own. Members read what was fulfilled from the data of transactions.
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

    /// @dev The one slot of a state is keccak256 of a first byte that says which, and what it is. 256 intents share one: those whose
    /// ids differ in the last byte only and whose commitment is the same. It is keccak256 of a first byte, the id with zero in place of its last
    /// byte, and the commitment; the last byte says which bit is the intent's. So each intent has one bit, and no two have the same.
    bytes1 private constant INTENT = "i";
    bytes1 private constant STATE = "s";

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
        return load(keccak256(abi.encodePacked(STATE, state))) != 0;
    }

    /// @notice Whether an intent has been fulfilled.
    function isFulfilled(bytes16 transaction, bytes32 commitment) external view returns (bool) {
        bytes16 series = transaction & ~bytes16(uint128(0xff));
        return (load(keccak256(abi.encodePacked(INTENT, series, commitment))) >> uint8(transaction[15])) & 1 != 0;
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
        // An account that has delegated its code (EIP-7702) is the origin of what that code calls.
        if (msg.sender != tx.origin || msg.sender.code.length != 0) revert CalledByContract();
        bytes memory code = readTerms();
        bytes memory outcomes;
        uint256 offset;
        uint256 end;
        assembly ("memory-safe") {
            offset := groups.offset
            end := add(groups.offset, groups.length)
        }
        while (offset < end) {
            bytes memory more;
            (more, offset) = fulfillGroup(code, offset, end);
            outcomes = outcomes.length == 0 ? more : bytes.concat(outcomes, more);
        }
        emit Transitions(outcomes);
    }

    /// @return outcomes Of its transitions.
    /// @return next Where the group ends.
    function fulfillGroup(bytes memory code, uint256 offset, uint256 end)
        private
        returns (bytes memory outcomes, uint256 next)
    {
        unchecked {
            next = offset + 1 + 66 * number(offset, 1);
            uint256 size = number(next, 4);
            uint256 count = number(next + 4, 2);
            next += 6;
            if (next > end || count == 0 || count > size) revert Malformed();
            bool whole = count == size;
            uint256[] memory starts = new uint256[](count);
            bytes32[] memory roots = new bytes32[](count);
            for (uint256 i = 0; i < count; i++) {
                put(starts, i, next);
                bytes32 leaf;
                (leaf, next) = leafOf(next);
                if (!whole) {
                    (leaf, next) = rootByPath(next, leaf, size);
                }
                put(roots, i, leaf);
            }
            // What was read beyond the end has changed nothing yet.
            if (next > end) revert Malformed();
            // For a whole tree its nodes are written over its leaves; else each has to lead to the same root.
            bytes32 root = whole ? rootOf(roots) : get(roots, 0);
            bool endorsed = isEndorsed(code, offset, root, size);
            outcomes = new bytes(count);
            for (uint256 i = 0; i < count; i++) {
                bool proven = endorsed && (whole || get(roots, i) == root);
                uint256 outcome = fulfillOne(get(starts, i), proven);
                assembly ("memory-safe") {
                    mstore8(add(add(outcomes, 32), i), outcome)
                }
            }
        }
    }

    /// @dev The intent, the inputs and the reads are checked before the first change. Then outputs are made as they are checked,
    /// and inputs are cleared, so that what stands twice in one list is found; then all is taken back. What is not endorsed
    /// changes nothing. It is in one piece, and two inputs have a way of their own, since each jump and each look costs.
    /// @return outcome One of {Outcome}.
    function fulfillOne(uint256 start, bool endorsed) private returns (uint256 outcome) {
        assembly ("memory-safe") {
            function fulfilled(list, really) -> end {
                mstore(0, INTENT)
                calldatacopy(1, list, 48)
                mstore8(16, 0)
                let intents := keccak256(0, 49)
                let fulfilledOnes := sload(intents)
                {
                    let withThis := or(fulfilledOnes, shl(byte(15, calldataload(list)), 1))
                    if eq(withThis, fulfilledOnes) {
                        end := 1 // INTENT_FULFILLED
                        leave
                    }
                    fulfilledOnes := withThis
                }
                mstore(0, STATE)

                // The slots of inputs, and behind them those of outputs, are written to free memory.
                let inputs := mload(0x40)
                let made := inputs
                list := add(list, 48)
                let state := add(list, 2)
                list := add(state, shl(5, shr(240, calldataload(list))))
                for {} lt(state, list) { state := add(state, 32) } {
                    mstore(1, calldataload(state))
                    let slot := keccak256(0, 33)
                    if iszero(sload(slot)) {
                        end := 2 // STATE_UNAVAILABLE
                        leave
                    }
                    mstore(made, slot)
                    made := add(made, 32)
                }

                // Reads
                state := add(list, 2)
                list := add(state, shl(5, shr(240, calldataload(list))))
                for {} lt(state, list) { state := add(state, 32) } {
                    mstore(1, calldataload(state))
                    if iszero(sload(keccak256(0, 33))) {
                        end := 2 // STATE_UNAVAILABLE
                        leave
                    }
                }

                let free := made
                state := add(list, 2)
                list := add(state, shl(5, shr(240, calldataload(list))))
                for {} lt(state, list) { state := add(state, 32) } {
                    mstore(1, calldataload(state))
                    let slot := keccak256(0, 33)
                    if sload(slot) {
                        end := 3 // STATE_EXISTS
                        break
                    }
                    if really {
                        sstore(slot, 1)
                        mstore(free, slot)
                        free := add(free, 32)
                    }
                }
                if iszero(or(end, really)) {
                    end := 4 // ENDORSEMENT_INVALID
                }

                if iszero(end) {
                    let cleared := inputs
                    switch sub(made, inputs)
                    case 64 {
                        let first := mload(inputs)
                        let second := mload(add(inputs, 32))
                        if xor(first, second) {
                            sstore(first, 0)
                            sstore(second, 0)
                            cleared := made
                        }
                    }
                    default {
                        for {} lt(cleared, made) { cleared := add(cleared, 32) } {
                            let slot := mload(cleared)
                            if iszero(sload(slot)) { break }
                            sstore(slot, 0)
                        }
                    }
                    if eq(cleared, made) {
                        sstore(intents, fulfilledOnes)
                        leave // FULFILLED
                    }
                    end := 2 // STATE_UNAVAILABLE
                    for {} lt(inputs, cleared) { inputs := add(inputs, 32) } { sstore(mload(inputs), 1) }
                }
                for {} lt(made, free) { made := add(made, 32) } { sstore(mload(made), 0) }
            }

            outcome := fulfilled(start, endorsed)
        }
    }

    /// @dev The hash of 0x00 and the EIP-712 hash of the transition that begins there.
    /// @return leaf That hash.
    /// @return next Where its states end.
    function leafOf(uint256 start) private pure returns (bytes32 leaf, uint256 next) {
        bytes32 transitionType = TRANSITION_TYPE;
        assembly ("memory-safe") {
            let free := mload(0x40)
            let lists := add(free, 96)
            let states := add(free, 192)
            next := add(start, 48)
            for {} lt(lists, states) { lists := add(lists, 32) } {
                let length := shl(5, shr(240, calldataload(next)))
                next := add(next, 2)
                calldatacopy(states, next, length)
                mstore(lists, keccak256(states, length))
                next := add(next, length)
            }
            mstore(free, transitionType)
            mstore(add(free, 32), shl(128, shr(128, calldataload(start))))
            mstore(add(free, 64), calldataload(add(start, 16)))
            mstore(add(free, 1), keccak256(free, 192))
            mstore8(free, 0)
            leaf := keccak256(free, 33)
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
    function rootOf(bytes32[] memory nodes) private pure returns (bytes32 root) {
        assembly ("memory-safe") {
            let first := add(nodes, 32)
            let end := add(first, shl(5, mload(nodes)))
            let free := mload(0x40)
            mstore8(free, 1)
            for {} gt(end, add(first, 32)) {} {
                let up := first
                let node := first
                for {} lt(add(node, 32), end) { node := add(node, 64) } {
                    mstore(add(free, 1), mload(node))
                    mstore(add(free, 33), mload(add(node, 32)))
                    mstore(up, keccak256(free, 65))
                    up := add(up, 32)
                }
                if lt(node, end) {
                    mstore(up, mload(node))
                    up := add(up, 32)
                }
                end := up
            }
            root := mload(first)
        }
    }

    /// @dev Section 2.1.3.2 of RFC 9162. A path that is too long or too short leads to no root.
    /// @return root Zero if there is none.
    /// @return next Where the path ends.
    function rootByPath(uint256 path, bytes32 node, uint256 size) private pure returns (bytes32 root, uint256 next) {
        unchecked {
            uint256 place = number(path, 4);
            uint256 count = number(path + 4, 1);
            path += 5;
            next = path + 32 * count;
            if (place >= size) return (0, next);
            uint256 last = size - 1;
            for (; path < next; path += 32) {
                if (last == 0) return (0, next);
                if (place % 2 == 1 || place == last) {
                    node = inner(word(path), node);
                    while (place % 2 == 0 && place != 0) {
                        place >>= 1;
                        last >>= 1;
                    }
                } else {
                    node = inner(node, word(path));
                }
                place >>= 1;
                last >>= 1;
            }
            return (last == 0 ? node : bytes32(0), next);
        }
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
    function number(uint256 offset, uint256 length) private pure returns (uint256 value) {
        assembly ("memory-safe") {
            value := shr(sub(256, shl(3, length)), calldataload(offset))
        }
    }

    function get(bytes32[] memory list, uint256 i) private pure returns (bytes32 value) {
        assembly ("memory-safe") {
            value := mload(add(add(list, 32), shl(5, i)))
        }
    }

    function get(uint256[] memory list, uint256 i) private pure returns (uint256 value) {
        assembly ("memory-safe") {
            value := mload(add(add(list, 32), shl(5, i)))
        }
    }

    function put(bytes32[] memory list, uint256 i, bytes32 value) private pure {
        assembly ("memory-safe") {
            mstore(add(add(list, 32), shl(5, i)), value)
        }
    }

    function put(uint256[] memory list, uint256 i, uint256 value) private pure {
        assembly ("memory-safe") {
            mstore(add(add(list, 32), shl(5, i)), value)
        }
    }

    function word(uint256 offset) private pure returns (bytes32 value) {
        assembly ("memory-safe") {
            value := calldataload(offset)
        }
    }

    function load(bytes32 slot) private view returns (uint256 value) {
        assembly ("memory-safe") {
            value := sload(slot)
        }
    }
}
